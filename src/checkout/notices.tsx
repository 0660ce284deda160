import type { VNode } from 'preact'
import type { State } from '../job/core/state.ts'
import { payUrl } from '../job/core/show.ts'
import { LANGUAGES, preferredLanguage } from '../platform/http/headers.ts'
import { type Refusal, problem } from '../platform/http/refusal.ts'
import { type Frame, page } from '../platform/pages/page.tsx'
import { LIVE_SCRIPT, languageOf, liveData, ShopName, Standing, WayBack } from './job-page.tsx'
import type { Shop } from './shop.ts'
import { type Title, textsIn } from './texts.ts'

type Notice = Omit<Frame, 'title'> & {
  title: Title
  busy?: boolean
  /** The main action, next to the way back to the shop. */
  way?: VNode
}

function notice({ title, busy = false, way, ...frame }: Notice, shop?: Shop): Promise<Response> {
  const texts = textsIn(frame.language)
  return page(
    { ...frame, title: texts[title], test: shop?.isTest ? texts.test : undefined },
    <>
      {shop && <ShopName name={shop.name} />}
      <Standing title={title} language={frame.language} busy={busy} />
      {shop && (
        <div class="ways" data-part="ways">
          {way}
          <WayBack shop={shop} texts={texts} first={false} />
        </div>
      )}
    </>,
  )
}

/** Waits. The browser loads `again` after this many seconds; its script does as soon as there is news. */
export function waitingPage(
  request: Request,
  job: State,
  shop: Shop,
  { again, after }: { again: string; after: number },
): Promise<Response> {
  const refresh = { after, url: again }
  const data = { ...liveData(job, again), 'data-after': String(after) }
  const language = languageOf(job, request)
  return notice({ title: 'PENDING', language, refresh, script: LIVE_SCRIPT, data, busy: true }, shop)
}

/** Says that the hub is asking the PSP. The browser at once loads the address that waits. */
export function connectingPage(request: Request, job: State, shop: Shop, waits: string): Promise<Response> {
  const refresh = { after: 0, url: waits }
  return notice({ title: 'CONNECTING', language: languageOf(job, request), refresh, busy: true }, shop)
}

/** Asks whether the customer gives up: a robot that opens every link presses no button. */
export function cancelPage(request: Request, job: State, shop: Shop, address: string): Promise<Response> {
  const language = languageOf(job, request)
  const way = (
    <form action={address}>
      <input type="hidden" name="cancelled" value="1" />
      <button class="button" name="sure" value="1">
        {textsIn(language).cancel}
      </button>
    </form>
  )
  return notice({ title: 'CANCEL', language, way }, shop)
}

export function unreachablePage(request: Request, job: State, shop: Shop): Promise<Response> {
  const language = languageOf(job, request)
  const way = (
    <a class="button" href={payUrl(job)}>
      {textsIn(language).again}
    </a>
  )
  return notice({ title: 'UNREACHABLE', language, status: 503, way }, shop)
}

/**
 * For a fault of the hub, which leaves the payment as it is; for a link to no job or to a purged one, so
 * the shop is unknown; or for a network that asked for too many unknown payments, whose customers may try
 * again soon. Has the status of the refusal, and says when to try again if that does.
 */
export async function refusalPage(
  request: Request,
  title: 'UNAVAILABLE' | 'UNKNOWN' | 'TOO_MANY',
  refusal: Refusal,
): Promise<Response> {
  const { status, headers } = problem(refusal)
  const response = await notice({ title, language: preferredLanguage(request, LANGUAGES), status })
  const retryAfter = headers.get('retry-after')
  if (retryAfter !== null) response.headers.set('retry-after', retryAfter)
  return response
}
