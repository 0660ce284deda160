import { PAYMENT_METHODS } from '../contract/payment-methods.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'
import { page } from '../platform/pages/page.tsx'
import { type MethodOf, type Reported, weatherReport } from './report.ts'

/** The PSPs as they write themselves. */
const NAMES: Readonly<Record<string, string>> = {
  adyen: 'Adyen',
  mollie: 'Mollie',
  multisafepay: 'MultiSafepay',
  stripe: 'Stripe',
}

type Line = {
  psp: string
  method: string
  state: Reported['state']
  since: string | null
  taken: number | null
}

/** What anybody may know: how PSPs take payments, by method. Nothing of it names an account, a shop or a number of payments. */
export async function weatherPage(env: Env, now: number, methodOf: MethodOf): Promise<Response> {
  const { accounts } = await weatherReport(env, now, methodOf)
  const lines = linesOf(accounts.filter(({ mode }) => mode === 'live'))
  const bad = lines.filter(({ state }) => state === 'silent' || state === 'slow')
  const title = bad.length === 0 ? 'Payments work' : 'Some payments are disturbed'
  return page(
    { title, language: 'en' },
    <>
      <h1>{title}</h1>
      {lines.length === 0 ? (
        <p>There were no payments in the last 24 hours.</p>
      ) : (
        <dl>
          {lines.map((line) => (
            <div key={`${line.psp} ${line.method}`}>
              <dt>
                {line.psp}, {line.method}
              </dt>
              <dd>{wordsOf(line, now)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="soft">As of {timeText(now, now)}. This page is renewed each minute.</p>
    </>,
  )
}

/** One for each PSP and method: of several accounts the one that is best, since payments go there. */
function linesOf(accounts: readonly Reported[]): Line[] {
  const lines = new Map<string, Line>()
  for (const { psp, paymentMethod, state, since, lastTaken } of accounts.toReversed()) {
    const method = PAYMENT_METHODS.includes(paymentMethod) ? paymentMethod : 'other methods'
    const known = lines.get(`${psp} ${method}`)
    const taken = Math.max(lastTaken ?? 0, known?.taken ?? 0) || null
    const best = known && RANK[known.state] <= RANK[state] ? known : { state, since }
    lines.set(`${psp} ${method}`, {
      psp: NAMES[psp] ?? psp,
      method,
      state: best.state,
      since: best.since,
      taken,
    })
  }
  return [...lines.values()].toSorted(
    (one, other) =>
      RANK[other.state] - RANK[one.state] || (one.psp + one.method < other.psp + other.method ? -1 : 1),
  )
}

const RANK: Record<Reported['state'], number> = { well: 0, unknown: 1, slow: 2, silent: 3 }

function wordsOf({ state, since, taken }: Line, now: number): string {
  const from = since === null ? '' : ` since ${timeText(Date.parse(since), now)}`
  if (state === 'slow') return `Slow${from}`
  const seen = taken === null ? '' : `, last seen well ${hourText(taken, now)}`
  if (state === 'silent') return `Not answering${from}${seen}`
  return state === 'unknown' ? `Was disturbed${from}${seen}` : `Well${seen}`
}

function hourText(hour: number, now: number): string {
  return now < hour + HOUR ? 'within this hour' : `before ${timeText(hour + HOUR, now)}`
}

/** A time of day is enough for what was within a day; an account may not answer for longer. */
function timeText(ms: number, now: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T')
  return `${now - ms < DAY ? '' : `${day} `}${time.slice(0, 5)} UTC`
}
