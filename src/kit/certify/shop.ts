import * as v from 'valibot'
import type { ReportFrame } from '../../contract/report-frames.ts'
import { forward } from '../listen.ts'
import type { Sent, Steps } from './certificate.ts'

/** Where a shop is reached. The shop's own client says what is null; without `pay` there is none. */
export type Addresses = {
  report: string | null
  return: string | null
  check: string
  pay: string | null
}

/** An order's state, as the shop tells it. `handled`: how often it sent the goods. */
const Standing = v.object({
  paid: v.boolean(),
  handled: v.exactOptional(v.number()),
  refunded: v.exactOptional(v.string()),
})
export type Standing = v.InferOutput<typeof Standing>
const Told = v.pipe(v.string(), v.parseJson(), Standing)

/** A mistake of the shop; its message is for the shop's developer. */
export class ShopFault extends Error {}

/** The status that a receiver answered to a report, or a word for why there is none. */
export type Answered = number | 'no connection' | 'no answer in time'

export type ShopOrder = {
  order_number: string
  amount: string
  currency: string
  capture?: 'manual'
  terminal?: string
}

/** Asks a person whether an order is paid; null where the shop has an address for that. */
export type AskPerson = ((orderNumber: string) => Promise<boolean>) | null

export type Shop = ReturnType<typeof shopAt>

const PATIENCE = 30_000

type Got = { response: Response; text: string }

async function send({ url, ...request }: Sent): Promise<Got> {
  const wait = AbortSignal.timeout(PATIENCE)
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: wait })
    return { response, text: await response.text() }
  } catch {
    throw new ShopFault(`did not answer ${wait.aborted ? 'in time ' : ''}at ${url}`)
  }
}

function answerOf({ response, text }: Got): string {
  return [response.status, response.headers.get('location') ?? text.slice(0, 200)].join(' ').trim()
}

/** Speaks to the shop as the hub, the customer and others do, and notes each step. */
export function shopAt(addresses: Addresses, askPerson: AskPerson, steps: Steps) {
  return {
    /** Brings a report, byte for byte. */
    report: async (does: string, report: Pick<ReportFrame, 'headers' | 'body' | 'reportUrl'>) => {
      const { headers, body } = report
      const request = { method: 'POST', url: addresses.report ?? report.reportUrl, headers, body } as const
      const bring = async (): Promise<Answered> => {
        const answer = await forward(request.url, { headers, body, delivery: '' })
        return answer.type === 'declined'
          ? 'no connection'
          : 'status' in answer
            ? answer.status
            : answer.failed
      }
      return steps.take(does, request, bring, String)
    },

    /** Opens the address that a customer comes back to. Its page has no status above `highest`. */
    open: async (does: string, location: string, highest = 399): Promise<void> => {
      const { search } = new URL(location)
      const url = addresses.return === null ? location : new URL(search, addresses.return).href
      const { response } = await steps.take(does, { method: 'GET', url, headers: {} }, send, answerOf)
      if (response.status > highest)
        throw new ShopFault(`the customer who came back got a ${response.status}`)
    },

    /** How an order stands. One that the shop does not know is not paid. */
    standing: async (orderNumber: string): Promise<Standing> => {
      if (askPerson !== null) {
        const paid = await askPerson(orderNumber)
        steps.note('You say whether the order is paid', paid ? 'yes' : 'no')
        return { paid }
      }
      const url = new URL(addresses.check)
      url.searchParams.set('order_number', orderNumber)
      const request = { method: 'GET', url: url.href, headers: {} } as const
      const { response, text } = await steps.take('The shop is asked for the order', request, send, answerOf)
      if (response.status === 404) return { paid: false }
      const read = v.safeParse(Told, text)
      if (read.success) return read.output
      throw new ShopFault(`${url.href} answered ${response.status} without { "paid": true } or false`)
    },

    /** Lets a customer order. Gives the `payUrl` to which the shop sends them, or null. */
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
