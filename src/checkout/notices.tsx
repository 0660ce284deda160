import type { State } from '../job/core/state.ts'
import { payUrl } from '../job/core/show.ts'
import { LANGUAGES, preferredLanguage } from '../platform/http/headers.ts'
import { UNKNOWN_QUOTAS } from '../platform/http/rate-limit.ts'
import { page } from '../platform/pages/page.tsx'
import { LIVE_SCRIPT, languageOf, liveData, ShopName, Standing, WayBack } from './job-page.tsx'
import type { Shop } from './shop.ts'
import { textsIn } from './texts.ts'

/** The browser asks for `again` after so many seconds, its script as soon as the hub knows more. */
export function waitingPage(
  request: Request,
  job: State,
  shop: Shop,
  { again, after }: { again: string; after: number },
): Promise<Response> {
  const language = languageOf(job, request)
  return page(
    {
      title: textsIn(language).PENDING,
      language,
      refresh: { after, url: again },
      script: LIVE_SCRIPT,
      data: { ...liveData(job, again), 'data-after': String(after) },
    },
    <>
      <ShopName name={shop.name} />
      <Standing title="PENDING" language={language} busy />
      <div class="ways" data-part="ways">
        <WayBack shop={shop} texts={textsIn(language)} first={false} />
      </div>
    </>,
  )
}

/** Says that the PSP is being asked. The browser asks at once for the address that waits. */
export function connectingPage(request: Request, job: State, shop: Shop, waits: string): Promise<Response> {
  const language = languageOf(job, request)
  return page(
    { title: textsIn(language).CONNECTING, language, refresh: { after: 0, url: waits } },
    <>
      <ShopName name={shop.name} />
      <Standing title="CONNECTING" language={language} busy />
      <div class="ways">
        <WayBack shop={shop} texts={textsIn(language)} first={false} />
      </div>
    </>,
  )
}

export function unreachablePage(request: Request, job: State, shop: Shop): Promise<Response> {
  const language = languageOf(job, request)
  const texts = textsIn(language)
  return page(
    { title: texts.UNREACHABLE, language, status: 503 },
    <>
      <ShopName name={shop.name} />
      <Standing title="UNREACHABLE" language={language} />
      <div class="ways">
        <a class="button" href={payUrl(job)}>
          {texts.again}
        </a>
        <WayBack shop={shop} texts={texts} first={false} />
      </div>
    </>,
  )
}

/** For a link to no job, or to a purged one: nobody knows what shop to go back to. */
export function unknownPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  return page(
    { title: textsIn(language).UNKNOWN, language, status: 404 },
    <Standing title="UNKNOWN" language={language} />,
  )
}

/** For a network that asked for too many unknown payments; its customers may try again soon. */
export async function tooManyPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  const response = await page(
    { title: textsIn(language).TOO_MANY, language, status: 429 },
    <Standing title="TOO_MANY" language={language} />,
  )
  response.headers.set('retry-after', String(UNKNOWN_QUOTAS.unknownJobsPerAddress.period))
  return response
}
