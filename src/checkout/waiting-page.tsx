import type { Job } from '../job/rules/job.ts'
import { page } from '../platform/pages/page.tsx'
import { LIVE_SCRIPT, languageOf, liveData } from './job-page.tsx'
import { ShopName, Standing, WayBack } from './parts.tsx'
import type { Shop } from './shop.ts'
import { textsIn } from './texts.ts'

/**
 * Waits for an outcome: the browser asks for `again` after so many seconds, and its script as soon as the hub knows more. The way
 * to the shop is open meanwhile.
 */
export function waitingPage(
  request: Request,
  job: Job,
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

/**
 * Says that the PSP is being asked for its page. The browser asks at once for the address that waits for it, and shows this page
 * for as long.
 */
export function connectingPage(request: Request, job: Job, shop: Shop, waits: string): Promise<Response> {
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
