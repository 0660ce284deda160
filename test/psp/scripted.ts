import { expect } from 'vitest'
import type { Order } from '../../src/contract/order.ts'
import type { AskAnswer } from '../../src/psp/answer.ts'
import type { Adapter, Connection, Fetch, Instruction, PaymentRequest, Psp } from '../../src/psp/port.ts'

/** A payment of EUR 12.50 that the hub announces for a job, with changes. */
export function paymentRequestOf(job: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    job,
    pos: '0190b1f4-0000-4000-8000-000000000001',
    fingerprint: 'f1ngerpr1nt',
    currency: 'EUR',
    amount: 1250,
    capture: 'automatic',
    description: 'A-7',
    paymentMethod: 'ideal',
    language: 'nl',
    ipAddress: '203.0.113.7',
    returnUrl: `https://hub.shop-payments.com/return/${job}`,
    cancelUrl: `https://hub.shop-payments.com/return/${job}?cancelled=1`,
    notificationUrl: `https://hub.shop-payments.com/notifications/acc_1/${job}`,
    ...changes,
  }
}

export const paymentRequest = paymentRequestOf('0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f')

/** A capture, a release or a refund that the hub requests. */
export function wish(amount: number, changes: Partial<Instruction> = {}): Instruction {
  return { id: crypto.randomUUID(), amount, currency: 'EUR', description: 'A-7', round: 1, ...changes }
}

/** Two states of a payment: captured by this much with the rest released, and entirely released. */
export function kept(paid: number) {
  return { status: 'SUCCESS', authorized: 1250, paid, released: 1250 - paid }
}
export const LET_GO = { status: 'CANCELLED', closed: true, authorized: 1250, paid: 0, released: 1250 }

/** When the payments of samples expire. */
export const END = Date.UTC(2026, 10, 21, 10, 15)
/** Ends of a payment that do not follow RFC 3339, or are not times. */
export const ENDS = [
  '2026-11-21T10:15Z',
  '2026-11-21T10:14:60Z',
  '2026-11-21t10:15:00z',
  'tomorrow',
  '',
  7,
  {},
]

/** An amount with its currency, as several PSPs write it. */
export function eur(value: unknown, currency = 'EUR') {
  return { currency, value }
}

/** Asks about a payment, and confirms it if its customer has approved it, as the hub does while a job wants the money. */
export async function askAndConfirm(
  psp: Psp,
  reference: string,
  order: Pick<Order, 'currency' | 'capture'>,
): Promise<AskAnswer> {
  const seen = await psp.ask(reference, order.currency)
  return seen.is === 'observed' && seen.approved && psp.confirm ? psp.confirm(reference, order) : seen
}

/** How a PSP answers one request. */
export type Answer = Fetch
export type Answers = [Answer, ...Answer[]]

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return async () => Response.json(body, { status, headers })
}

/** A web page from a server in front of the PSP. */
export function html(status: number, headers: Record<string, string> = {}): Answer {
  const body = '<!doctype html><title>Just a moment</title>'
  return async () => new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
}

export const closedConnection: Answer = async () => {
  throw new TypeError('fetch failed: other side closed')
}

/** Never answers. */
export const hang: Answer = (request) =>
  new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))

/** Sends the headers, and then nothing more. */
export const stall: Answer = async (request) =>
  new Response(
    new ReadableStream({
      start: (body) => request.signal.addEventListener('abort', () => body.error(request.signal.reason)),
    }),
  )

/**
 * An adapter in front of a PSP that gives these answers, and then repeats the last. It records the requests.
 */
export type Scripted = { psp: Psp; requests: Request[]; asked: () => string[] }

export function openScripted(
  adapter: Adapter,
  connection: Pick<Connection<unknown>, 'mode' | 'credentials'>,
  answers: Answers,
): Scripted {
  const requests: Request[] = []
  const fetch: Fetch = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
    return answer(request)
  }
  const asked = () => requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  return { psp: adapter.open({ ...connection, fetch }), requests, asked }
}

/** Reads a form as text, although workerd warns about `text()`. */
export async function bodyOf(request: Pick<Request, 'arrayBuffer'>): Promise<string> {
  return new TextDecoder().decode(await request.arrayBuffer())
}

/** The body with which an adapter announces a payment. */
export async function announcedBody(
  { psp, requests }: Scripted,
  changes: Partial<PaymentRequest>,
): Promise<string> {
  await psp.announce({ ...paymentRequest, ...changes }, patience)
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return bodyOf(request)
}

/** The adapter's answer if it does not know how a call ended. The message is a sentence for the operator. */
export const UNANSWERED = { is: 'unavailable', message: expect.stringMatching(/^[A-Z]\w+ .{10,}/) as unknown }

/** A deadline that never comes. */
export const patience = new AbortController().signal
