import { jobNow } from '../contract/advance.ts'
import { preferredLanguage } from '../platform/http/headers.ts'
import { readableAmount, shownText } from '../platform/pages/formats.ts'
import { page } from '../platform/pages/page.tsx'
import { AT_TERMINAL } from '../psp/sandbox/change.ts'
import type { Payment } from '../psp/sandbox/payment.ts'
import type { Terminal } from '../psp/sandbox/terminal.ts'
import { LANGUAGES, type Screen, textsIn } from './texts.ts'

/** Seconds after which the page looks for a payment again, with scripts and without them. */
const LOOK_AFTER = 1
const LOAD_AFTER = 5
/** How long (ms) a terminal shows the end of a payment. */
const SHOWN = 15_000

/** Returns the screen of a terminal now (ms). */
function screenOf({ isOff }: Terminal, payment: Payment | null, now: number): Screen {
  if (isOff) return 'off'
  if (!payment) return 'ready'
  const { status, progress = 'waiting-for-card', settledAt, clock } = payment
  if (status === 'open') return progress
  // Such a status never lasts at a terminal.
  if (status === 'pending' || status === 'authorized') return 'authorising'
  return jobNow(clock, now) < (settledAt ?? 0) + SHOWN ? status : 'ready'
}

/** Renders a simulated terminal: its screen, and what the customer can do there. */
export function terminalPage(
  request: Request,
  terminal: Terminal,
  payment: Payment | null,
): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  const said = textsIn(language)
  const screen = screenOf(terminal, payment, Date.now())
  const isIdle = screen === 'off' || screen === 'ready'
  const isWaiting = screen === 'waiting-for-card'
  const choices = isWaiting ? Object.keys(AT_TERMINAL) : screen === 'card-read' ? ['stop'] : []
  const { pathname } = new URL(request.url)
  return page(
    {
      title: `${said['terminal']} ${terminal.id}`,
      language,
      test: '',
      script: '/assets/live.js',
      data: { 'data-page': pathname, 'data-after': String(LOOK_AFTER) },
      refresh: { after: LOAD_AFTER, url: pathname },
    },
    <>
      <h1>
        {said['terminal']} <bdi>{terminal.id}</bdi>
      </h1>
      <div class="screen" role="status" data-part="screen">
        {!isIdle && payment && (
          <>
            <p class="amount">
              {readableAmount(payment.captured ?? payment.amount, payment.currency, language, '')}
            </p>
            <p>
              <bdi>{shownText(payment.description)}</bdi>
            </p>
          </>
        )}
        <p>{said[`screen-${screen}`]}</p>
      </div>
      <form method="post" data-part="ways">
        {choices.map((choice) => (
          <button key={choice} name="outcome" value={choice} class={choice === 'tap' ? 'first' : ''}>
            {said[`terminal-${choice}`]}
          </button>
        ))}
        {isIdle && (
          <button name="outcome" value={terminal.isOff ? 'on' : 'off'}>
            {said[terminal.isOff ? 'terminal-on' : 'terminal-off']}
          </button>
        )}
      </form>
    </>,
  )
}
