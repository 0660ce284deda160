import * as v from 'valibot'
import type { ReportFrame } from '../../contract/report-frames.ts'
import { forward } from '../listen.ts'
import { type ShopOrder, ShopFault } from '../payment.ts'
import type { Sent, Steps } from './certificate.ts'

/** The addresses of a shop. Its own client names those that are null; without `pay` it has no client. */
export type Addresses = {
  report: string | null
  return: string | null
  check: string
  pay: string | null
}

/** How an order stands, as the shop says. `handled`: how often it sent the goods. */
const Standing = v.object({
  paid: v.boolean(),
  handled: v.exactOptional(v.number()),
  refunded: v.exactOptional(v.string()),
})
export type Standing = v.InferOutput<typeof Standing>

/** What the members of the answer must be. */
const MUST_BE: Readonly<Record<string, string>> = {
  paid: 'true or false',
  handled: 'a number',
  refunded: 'a text such as "5.00"',
}

/** Reads the answer of the shop's check. Throws a ShopFault that names what is wrong with it. */
export function readStanding(status: number, text: string): Standing {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  if (!json.success) throw new ShopFault(`answered its check with ${status}, and without JSON`, CHECK)
  const read = v.safeParse(Standing, json.output)
  if (read.success) return read.output
  const [issue] = read.issues
  const name = v.getDotPath(issue) ?? ''
  const must = MUST_BE[name]
  if (must === undefined)
    throw new ShopFault(`answered its check with ${status}, and without a JSON object`, CHECK)
  throw new ShopFault(
    `answered its check with ${status}: "${name}" ${isWhat(issue.input)}, must be ${must}`,
    CHECK,
  )
}

const SHOW = 'Show a customer who comes back a page, however the payment stands.'
const CHECK =
  'Answer as { "paid": true }, or false. "handled" (a number) and "refunded" (a text) are not required.'

function isWhat(value: unknown): string {
  if (value === undefined) return 'is missing'
  const kind = typeof value === 'string' ? 'the text ' : typeof value === 'number' ? 'the number ' : ''
  return `is ${kind}${JSON.stringify(value)}`
}

/** The status that a receiver answered to a report, or a word for why there is none. */
export type ReceiverAnswer = number | 'no connection' | 'no answer in time'

/** Asks a person whether an order is paid; null if the shop has an address for that. */
export type AskPerson = ((orderNumber: string) => Promise<boolean>) | null

export type Shop = ReturnType<typeof shopAt>

const PATIENCE = 30_000
/** After so long (ms) a shop is slow. */
const SLOW = 1000

type Got = { response: Response; text: string }

async function send({ url, ...request }: Sent): Promise<Got> {
  const wait = AbortSignal.timeout(PATIENCE)
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: wait })
    return { response, text: await response.text() }
  } catch {
    throw new ShopFault(
      `did not answer ${wait.aborted ? 'in time ' : ''}at ${url.split('?')[0]}`,
      'Answer there within 30 s, or give the right address.',
    )
  }
}

function answerOf({ response, text }: Got): string {
  return [response.status, response.headers.get('location') ?? text.slice(0, 200)].join(' ').trim()
}

/**
 * Speaks to the shop as the hub, its customers and attackers do, and notes each step. Goes to no address
 * of the hub whose origin the shop has not named itself (`origins`).
 */
export function shopAt(
  addresses: Addresses,
  origins: ReadonlySet<string>,
  askPerson: AskPerson,
  steps: Steps,
) {
  const ofShop = (address: string): string => {
    const { origin } = new URL(address)
    if (origins.has(origin)) return address
    throw new Error(`The hub leads to ${origin}, which the shop did not name.`)
  }
  const timed = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const timer = setTimeout(steps.isSlow, SLOW)
    return answer.finally(() => clearTimeout(timer))
  }
  const ask = (request: Sent) => timed(send(request))
  return {
    /** Brings a report, byte for byte. */
    report: async (does: string, report: Pick<ReportFrame, 'headers' | 'body' | 'reportUrl'>) => {
      const { headers, body } = report
      const request = {
        method: 'POST',
        url: addresses.report ?? ofShop(report.reportUrl),
        headers,
        body,
      } as const
      const bring = async (): Promise<ReceiverAnswer> => {
        const answer = await timed(forward(request.url, { headers, body, delivery: '' }))
        return 'status' in answer ? answer.status : 'failed' in answer ? answer.failed : 'no connection'
      }
      return steps.take(does, request, bring, String)
    },

    /** Opens the address that a customer comes back to. Throws a ShopFault for a status above `highest`. */
    open: async (does: string, location: string, highest = 399): Promise<void> => {
      const { search } = new URL(location)
      const url = addresses.return === null ? ofShop(location) : new URL(search, addresses.return).href
      const { response } = await steps.take(does, { method: 'GET', url, headers: {} }, ask, answerOf)
      if (response.status > highest)
        throw new ShopFault(`answered a customer who came back with ${response.status}`, SHOW)
    },

    /** How an order stands. An order that the shop does not know is not paid. */
    standing: async (orderNumber: string): Promise<Standing> => {
      if (askPerson !== null) {
        const paid = await askPerson(orderNumber)
        steps.note('You say whether the order is paid', paid ? 'yes' : 'no')
        return { paid }
      }
      const url = new URL(addresses.check)
      url.searchParams.set('order_number', orderNumber)
      const request = { method: 'GET', url: url.href, headers: {} } as const
      const { response, text } = await steps.take('The shop is asked for the order', request, ask, answerOf)
      if (response.status === 404) return { paid: false }
      return readStanding(response.status, text)
    },

    /** Lets a customer order. Returns the `payUrl` to which the shop sends them, or null. */
    buy: async (does: string, wanted: ShopOrder): Promise<string | null> => {
      const request = {
        method: 'POST',
        url: addresses.pay ?? '',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wanted),
      } as const
      const { response, text } = await steps.take(does, request, send, answerOf)
      const location = response.headers.get('location')
      if (location !== null) return new URL(location, request.url).href
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), v.object({ payUrl: v.string() })), text)
      return read.success ? read.output.payUrl : null
    },
  }
}
