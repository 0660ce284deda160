import { type Job, isFinal } from '../job/rules/job.ts'
import { payUrl } from '../job/rules/representation.ts'
import { readableAmount, readableTime } from '../platform/pages/formats.ts'
import { LANGUAGES, type CustomerLanguage, customerLanguage } from '../platform/customer-language.ts'
import { preferredLanguage } from '../platform/http/accept-language.ts'
import { page } from '../platform/pages/page.tsx'
import { shownText } from '../platform/pages/shown-text.ts'
import { snapshotOf } from '../job/job-snapshot.ts'
import { statusOf } from './events.ts'
import { ShopName, Standing, WayBack } from './parts.tsx'
import type { Shop } from './shop.ts'
import { moneyBackOf, paidAt, titleOf } from './standing.ts'
import { textsIn } from './texts.ts'

/** The script that keeps a page as the job stands. */
export const LIVE_SCRIPT = '/assets/live.js'
/** Seconds after which a browser without scripts asks again how the job stands. */
const ASK_AGAIN = 15

export function languageOf(job: Job, request: Request): CustomerLanguage {
  return customerLanguage(job.order.language, LANGUAGES) ?? preferredLanguage(request, LANGUAGES)
}

/**
 * How a job stands, with the way back to the shop: `/receipt/{id}` for as long as the job is stored, and `/pay/{id}` when
 * there is nothing to pay. It is kept as the job stands by a script, and by itself where none runs.
 */
export function jobPage(request: Request, job: Job, shop: Shop, at: 'pay' | 'receipt'): Promise<Response> {
  const language = languageOf(job, request)
  const texts = textsIn(language)
  const title = titleOf(job, Date.now())
  const address = `/${at}/${job.id}`
  return page(
    {
      title: [texts[title], shop.name].filter(Boolean).join(' – '),
      language,
      script: LIVE_SCRIPT,
      data: liveData(job, address),
      ...(isFinal(job.status) ? {} : { refresh: { after: ASK_AGAIN, url: address } }),
    },
    <>
      <ShopName name={shop.name} />
      <Standing title={title} language={language} />
      <div data-part="facts">
        <Facts job={job} language={language} />
      </div>
      <div class="ways" data-part="ways">
        {title === 'OPEN' && (
          <a class="button" href={payUrl(job)}>
            {texts.pay}
          </a>
        )}
        <WayBack shop={shop} texts={texts} first={title !== 'OPEN'} />
        {at === 'pay' && (
          <a class="link" href={`/receipt/${job.id}`}>
            {texts.receipt}
          </a>
        )}
      </div>
    </>,
  )
}

/** What the script has to know of a page: where to ask for it anew, where changes are told, and what it shows already. */
export function liveData(job: Job, address: string) {
  return {
    'data-page': address,
    'data-live': `/receipt/${job.id}/events`,
    'data-shown': statusOf(snapshotOf(job)),
  }
}

/** The order, and what was paid and went back of it. What was paid is told where it is not simply the amount of the order. */
function Facts({ job, language }: { job: Job; language: CustomerLanguage }) {
  const { order, paid } = job
  const texts = textsIn(language)
  const amountOf = (minor: number) => readableAmount(minor, order.currency, language, order.language)
  const at = paidAt(job)
  return (
    <dl>
      <div>
        <dt>{texts.order}</dt>
        <dd>
          <bdi>{shownText(order.orderNumber)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{texts.amount}</dt>
        <dd class="sum">{amountOf(order.amount)}</dd>
      </div>
      {paid > 0 && paid !== order.amount && (
        <div>
          <dt>{texts.paid}</dt>
          <dd>{amountOf(paid)}</dd>
        </div>
      )}
      {at !== null && (
        <div>
          <dt>{texts.paidOn}</dt>
          <dd>
            <Time at={at} language={language} />
          </dd>
        </div>
      )}
      {moneyBackOf(job).map(({ label, amount, at: backAt }) => (
        <div key={label}>
          <dt>{texts[label]}</dt>
          <dd>{amountOf(amount)}</dd>
          {backAt !== null && (
            <dd class="when">
              <Time at={backAt} language={language} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function Time({ at, language }: { at: number; language: CustomerLanguage }) {
  return <time datetime={new Date(at).toISOString()}>{readableTime(at, language)}</time>
}
