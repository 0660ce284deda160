import type { VNode } from 'preact'
import { snapshotOf } from '../job/job-snapshot.ts'
import { type State, alsoPaidBy, isPending } from '../job/core/state.ts'
import { payUrl } from '../job/core/show.ts'
import {
  type CustomerLanguage,
  LANGUAGES,
  customerLanguage,
  preferredLanguage,
} from '../platform/http/headers.ts'
import { nameOf } from '../contract/method-names.ts'
import { readableAmount, readableTime, shownText } from '../platform/pages/formats.ts'
import { isZone } from '../platform/pages/time-text.ts'
import { page } from '../platform/pages/page.tsx'
import { statusOf } from './events.ts'
import type { Shop } from './shop.ts'
import { hasReceipt, moneyBackOf, paidAt, titleOf } from './standing.ts'
import { type Texts, type Title, SENTENCES, textsIn } from './texts.ts'
import { dueAfter, surplusOf, paidOf, tipOf } from '../job/core/money.ts'

/** Shows a name. `<bdi>` keeps letters of the other direction from turning the line around. */
export function ShopName({ name }: Pick<Shop, 'name'>) {
  return name === undefined ? null : (
    <p class="shop">
      <bdi>{name}</bdi>
    </p>
  )
}

type StandingProps = { title: Title; language: CustomerLanguage; busy?: boolean; isReceipt?: boolean }

/**
 * Shows how a payment stands; a receipt has the word "receipt" above. Screen readers read it out when
 * the script replaces a `data-part`.
 */
export function Standing({ title, language, busy, isReceipt }: StandingProps) {
  const texts = textsIn(language)
  // The full stop of Chinese and Japanese includes the space.
  const sentences = SENTENCES[title]
    .map((sentence) => texts[sentence])
    .join(' ')
    .replaceAll('。 ', '。')
  return (
    <div role="status" data-part="standing">
      {isReceipt && <p class="kind">{texts.receipt}</p>}
      <Sign of={busy ? 'CONNECTING' : title} />
      <h1>{texts[title]}</h1>
      {sentences && <p>{sentences}</p>}
      {busy && title !== 'CONNECTING' && <p class="soft">{texts.wait}</p>}
    </div>
  )
}

/** Shows a text with the shop's name at `{shop}`, or the other text if the name is unknown. */
function Named({ text, other, shop }: { text: string; other: string; shop: Shop }) {
  if (shop.name === undefined) return <>{other}</>
  const [before, after] = text.split('{shop}')
  return (
    <>
      {before}
      <bdi>{shop.name}</bdi>
      {after}
    </>
  )
}

/** The link back to the shop: `first` makes it the main button. */
export function WayBack({ shop, texts, first }: { shop: Shop; texts: Texts; first: boolean }) {
  return shop.back === null ? null : (
    <a class={first ? 'button' : 'button second'} href={shop.back}>
      <Named text={texts.backTo} other={texts.back} shop={shop} />
    </a>
  )
}

const BACK = { path: 'M9 7L5 11l4 4M5 11h9a4 4 0 0 1 0 8h-3', look: 'calm turns' }
const DOTS = { path: 'M6 12v.01M12 12v.01M18 12v.01', look: 'calm' }
const NOTE = { path: 'M12 6v7M12 17.5v.01', look: 'calm' }
const ASK = { path: 'M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01', look: 'calm turns' }

/**
 * A title's drawing on a 24-unit square. Red is for failures; a customer cancels on purpose. Arrows
 * and question marks turn around where people read from right to left.
 */
const SIGNS: Readonly<Record<Title, { path: string; look: string }>> = {
  SUCCESS: { path: 'M5.5 12.5l4.5 4.5 8.5-9.5', look: 'good' },
  REFUNDED: BACK,
  PART_REFUNDED: BACK,
  REFUNDING: BACK,
  CHARGED_BACK: BACK,
  PART_CHARGED_BACK: BACK,
  PART: NOTE,
  PENDING: DOTS,
  RESERVED: DOTS,
  PART_RESERVED: DOTS,
  RELEASED: BACK,
  OPEN: DOTS,
  FAILURE: { path: 'M12 6v7M12 17.5v.01', look: 'bad' },
  CANCELLED: { path: 'M7.5 7.5l9 9M16.5 7.5l-9 9', look: 'calm' },
  EXPIRED: { path: 'M12 6.5V12l3.5 2.5M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17', look: 'calm' },
  CONNECTING: { path: '', look: 'busy' },
  CANCEL: ASK,
  UNREACHABLE: NOTE,
  UNAVAILABLE: NOTE,
  UNKNOWN: ASK,
  TOO_MANY: { path: 'M12 6.5V12l3.5 2.5M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17', look: 'calm' },
}

/** A drawing of the words below it. It is an SVG, because fonts may lack such signs. */
function Sign({ of }: { of: Title }) {
  const { path, look } = SIGNS[of]
  return (
    <div class={`sign ${look}`} aria-hidden="true">
      {path && (
        <svg viewBox="0 0 24 24" width="28" height="28">
          <path d={path} />
        </svg>
      )}
    </div>
  )
}

export const LIVE_SCRIPT = '/assets/live.js'
/** Seconds after which a browser without scripts loads the page again. */
const ASK_AGAIN = 15

export function languageOf(job: State, request: Request): CustomerLanguage {
  return customerLanguage(job.order.language, LANGUAGES) ?? preferredLanguage(request, LANGUAGES)
}

/**
 * Shows how a job stands, with the way back to the shop: at `/receipt/{id}` for as long as the job is
 * stored, and at `/pay/{id}` if there is nothing to pay. A script keeps it up to date; a browser
 * without scripts loads it again.
 */
export function jobPage(request: Request, job: State, shop: Shop, at: 'pay' | 'receipt'): Promise<Response> {
  const language = languageOf(job, request)
  const texts = textsIn(language)
  const title = titleOf(job, Date.now())
  const address = `/${at}/${job.link}`
  const isPaid = hasReceipt(job)
  const [payment] = job.payments
  const isReceipt = isPaid && at === 'receipt'
  return page(
    {
      title: [isReceipt && texts.receipt, texts[title], shop.name].filter(Boolean).join(' – '),
      test: shop.isTest ? texts.test : undefined,
      language,
      script: LIVE_SCRIPT,
      data: liveData(job, address),
      ...(isPending(job) ? { refresh: { after: ASK_AGAIN, url: address } } : {}),
    },
    <>
      <ShopName name={shop.name} />
      <Standing title={title} language={language} isReceipt={isReceipt} />
      <div data-part="facts">
        <Facts job={job} language={language} zone={zoneOf(request)} />
        {isPaid && alsoPaidBy(job).length > 0 && (
          <p>
            <b>{texts.twice}</b>
            <br />
            {texts.contact}
          </p>
        )}
        {isPaid && (
          <p class="soft">
            <Named text={texts.askAt} other={texts.ask} shop={shop} />
          </p>
        )}
      </div>
      <div class="ways" data-part="ways">
        {title === 'OPEN' && (
          <a class="button" href={payUrl(job)}>
            {texts.pay}
          </a>
        )}
        <WayBack shop={shop} texts={texts} first={title !== 'OPEN'} />
        {!job.isLive && isPending(job) && payment?.way === 'terminal' && (
          <a class="button" href={`/sandbox/checkout/${payment.reference}`}>
            {/* Only developers see it, in test mode. */}
            <bdi lang="en">Terminal {payment.terminal}</bdi>
          </a>
        )}
        {isPaid && !isReceipt && (
          <a class="link" href={`/receipt/${job.link}`}>
            {texts.receipt}
          </a>
        )}
      </div>
    </>,
  )
}

/** Returns attributes for the script: the page's address, its events, and what it shows. */
export function liveData(job: State, address: string) {
  return {
    'data-page': address,
    'data-live': `/receipt/${job.link}/events`,
    'data-shown': statusOf(snapshotOf(job)),
  }
}

/** Shows the order, its payment's number, and the money; `paid` only if it differs from the amount. */
function Facts({ job, language, zone }: { job: State; language: CustomerLanguage; zone: string }) {
  const { order } = job
  const paid = paidOf(job)
  const texts = textsIn(language)
  const amountOf = (minor: number) => (
    <bdi>{readableAmount(minor, order.currency, language, order.language)}</bdi>
  )
  const timeOf = (at: number) => (
    <time datetime={new Date(at).toISOString()}>{readableTime(at, language, zone)}</time>
  )
  const at = paidAt(job)
  return (
    <dl>
      <Fact name={texts.order}>
        <bdi>{shownText(order.orderNumber)}</bdi>
      </Fact>
      {paid > 0 && (
        <Fact name={texts.number} look="number">
          <bdi>{job.id}</bdi>
        </Fact>
      )}
      <Fact name={texts.amount} look="sum">
        {amountOf(order.amount)}
      </Fact>
      {paid > 0 && dueAfter(job, paid) + surplusOf(job) + tipOf(job) > 0 && (
        <Fact name={texts.paid}>{amountOf(paid)}</Fact>
      )}
      {paid > 0 && (
        <Fact name={texts.method}>
          <bdi>{cardText(job) ?? nameOf(order.paymentMethod, language)}</bdi>
        </Fact>
      )}
      {at !== null && <Fact name={texts.paidOn}>{timeOf(at)}</Fact>}
      {moneyBackOf(job).map(({ label, amount, at: backAt }) => (
        <Fact key={label} name={texts[label]} when={backAt !== null && timeOf(backAt)}>
          {amountOf(amount)}
        </Fact>
      ))}
    </dl>
  )
}

/** Returns a card that paid at a terminal as a receipt shows it; null if the hub knows nothing about it. */
function cardText({ payments }: State): string | null {
  const card = payments.find(({ paid }) => paid > 0)?.card
  const { brand, lastFour, authorisationCode } = card ?? {}
  const words = [brand, lastFour && `•••• ${lastFour}`, authorisationCode && `(${authorisationCode})`]
  return words.filter(Boolean).join(' ') || null
}

type FactProps = { name: string; look?: string; when?: VNode | false; children: VNode }

function Fact({ name, look, when, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look}>{children}</dd>
      {when && <dd class="when">{when}</dd>}
    </div>
  )
}

/** Returns the time zone of the customer's network, as Cloudflare knows it. */
function zoneOf({ cf }: Request): string {
  const zone = cf?.['timezone']
  return typeof zone === 'string' && isZone(zone) ? zone : 'UTC'
}
