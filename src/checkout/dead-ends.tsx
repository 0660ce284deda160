import type { Job } from '../job/rules/job.ts'
import { payUrl } from '../job/rules/representation.ts'
import { UNKNOWN_QUOTAS } from '../platform/http/unknown-ids.ts'
import { LANGUAGES } from '../platform/customer-language.ts'
import { preferredLanguage } from '../platform/http/accept-language.ts'
import { page } from '../platform/pages/page.tsx'
import { languageOf } from './job-page.tsx'
import { ShopName, Standing, WayBack } from './parts.tsx'
import type { Shop } from './shop.ts'
import { textsIn } from './texts.ts'

/** For a job whose PSP does not answer: to try again, or to go back to the shop. */
export function unreachablePage(request: Request, job: Job, shop: Shop): Promise<Response> {
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

/** For a link that leads to no job, or to one that was purged: nobody knows what shop to go back to. */
export function unknownPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  return page(
    { title: textsIn(language).UNKNOWN, language, status: 404 },
    <Standing title="UNKNOWN" language={language} />,
  )
}

/** For a network that has asked for too many unknown payments: a customer there may try again in a minute. */
export async function tooManyPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  const response = await page(
    { title: textsIn(language).TOO_MANY, language, status: 429 },
    <Standing title="TOO_MANY" language={language} />,
  )
  response.headers.set('retry-after', String(UNKNOWN_QUOTAS.unknownJobsPerAddress.period))
  return response
}
