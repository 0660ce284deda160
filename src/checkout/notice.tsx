import type { Job } from '../domain/job.ts'
import { payUrl } from '../domain/representation.ts'
import { UNKNOWN_QUOTAS } from '../http/unknown-quotas.ts'
import { readableAmount } from '../pages/amount.ts'
import { page, pageLanguage, preferredLanguage } from '../pages/page.tsx'
import { type Notice, TEXTS } from './texts.ts'

/** Tells at a glance what the words below it say. The tick is drawn by the style: not every font has one. */
const Sign = ({ of }: { of: Notice }) => (
  <div class={`sign ${of === 'SUCCESS' ? 'good' : of === 'PENDING' ? '' : 'bad'}`} aria-hidden="true">
    {of === 'SUCCESS' ? '' : of === 'PENDING' ? '…' : '!'}
  </div>
)

/** A plain page that tells a customer how the job stands, with the way back to the shop. */
export const noticePage = (
  request: Request,
  job: Job,
  notice: Notice,
  returnUrl: string,
): Promise<Response> => {
  const language = pageLanguage(job.order.language) ?? preferredLanguage(request)
  const texts = TEXTS[language]
  const { title, text } = texts[notice]
  const { order } = job
  return page(
    { title, language, status: notice === 'UNREACHABLE' ? 503 : 200 },
    <>
      <Sign of={notice} />
      <h1>{title}</h1>
      <p>{text}</p>
      <dl>
        <dt>{texts.order}</dt>
        <dd>{order.orderNumber}</dd>
        <dt>{texts.amount}</dt>
        <dd>{readableAmount(order.amount, order.currency, language)}</dd>
      </dl>
      {notice === 'UNREACHABLE' ? (
        <a class="button" href={payUrl(job)}>
          {texts.again}
        </a>
      ) : (
        <a class="button" href={returnUrl}>
          {texts.back}
        </a>
      )}
    </>,
  )
}

/** Waits for an outcome: the browser asks for `again` after some seconds. The way to the shop is open meanwhile. */
export const waitingPage = (
  request: Request,
  job: Job,
  { again, after, location }: { again: string; after: number; location: string },
): Promise<Response> => {
  const language = pageLanguage(job.order.language) ?? preferredLanguage(request)
  const texts = TEXTS[language]
  const { title, text } = texts.PENDING
  return page(
    { title, language, refresh: { after, url: again } },
    <>
      <div class="wait" />
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="soft">{texts.wait}</p>
      <a class="button" href={location}>
        {texts.back}
      </a>
    </>,
  )
}

export const unknownPage = (request: Request): Promise<Response> => {
  const language = preferredLanguage(request)
  const { title, text } = TEXTS[language].UNKNOWN
  return page(
    { title, language, status: 404 },
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>,
  )
}

/** For a network that has asked for too many unknown payments: a customer there may try again in a minute. */
export const tooManyPage = async (request: Request): Promise<Response> => {
  const language = preferredLanguage(request)
  const { title, text } = TEXTS[language].UNREACHABLE
  const response = await page(
    { title, language, status: 429 },
    <>
      <Sign of="UNREACHABLE" />
      <h1>{title}</h1>
      <p>{text}</p>
    </>,
  )
  response.headers.set('retry-after', String(UNKNOWN_QUOTAS.unknownJobsPerAddress.period))
  return response
}
