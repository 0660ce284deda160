import type { Job } from '../domain/job.ts'
import { formatAmount } from '../domain/money.ts'
import { payUrl } from '../domain/representation.ts'
import { page, pageLanguage, preferredLanguage } from '../pages/page.tsx'
import { type Notice, TEXTS } from './texts.ts'

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
      <h1>{title}</h1>
      <p>{text}</p>
      <dl>
        <dt>{texts.order}</dt>
        <dd>{order.orderNumber}</dd>
        <dt>{order.currency}</dt>
        <dd>{formatAmount(order.amount, order.currency)}</dd>
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
