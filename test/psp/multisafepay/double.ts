import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { PaymentRequest, Fetch } from '../../../src/psp/port.ts'
import { charge as anyCharge } from '../mollie/double.ts'
import { patience } from '../patience.ts'

export const API_KEY = '8hdnCxGl2RYzqK5sVmWb0tJ3PfEoUa7iLcTgNrXy'

/** How MultiSafepay answers one request. */
export type Answer = Fetch

export const charge: PaymentRequest = anyCharge

export const json =
  (status: number, body: unknown): Answer =>
  async () =>
    Response.json(body, { status })

/** An order as MultiSafepay shows it, with the members that the hub reads and some that it does not. */
export const order = (changes: object = {}): Record<string, unknown> => ({
  amount: 1250,
  amount_refunded: 0,
  created: '2026-11-21T10:15:00',
  currency: 'EUR',
  description: 'A-7',
  financial_status: 'initialized',
  order_id: charge.job,
  payment_details: { type: 'IDEAL' },
  payment_methods: [{ amount: 1250, currency: 'EUR', status: 'initialized', type: 'IDEAL' }],
  status: 'initialized',
  transaction_id: 17_472_052_901_237_122,
  ...changes,
})

export const shown = (changes: object = {}): Answer => json(200, { success: true, data: order(changes) })

export const PAGE = 'https://payv2.multisafepay.com/connect/82Az5nicWa3Xb3qsNuuYcAHshvO43HjUmyv/?lang=nl_NL'

export const created = (changes: object = {}): Answer => {
  const session_id = '82Az5nicWa3Xb3qsNuuYcAHshvO43HjUmyv'
  return json(200, {
    success: true,
    data: { order_id: charge.job, payment_url: PAGE, session_id, ...changes },
  })
}

/** https://docs.multisafepay.com/reference/error-reference */
export const failure = (status: number, error_code: number, error_info: string): Answer =>
  json(status, { success: false, data: {}, error_code, error_info })

/** The adapter in front of a MultiSafepay that gives these answers, the last one again and again. Its requests are kept. */
export const atMultiSafepay = (...answers: [Answer, ...Answer[]]) => {
  const requests: Request[] = []
  const fetch: Fetch = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
    return answer(request)
  }
  const psp = multisafepay.open({ fetch, mode: 'live', credentials: { apiKey: API_KEY } })
  const asked = () => requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  return { psp, requests, asked }
}

export const CREATE = 'POST /v1/json/orders'
export const GET = `GET /v1/json/orders/${charge.job}`
export const PATCH = `PATCH /v1/json/orders/${charge.job}`

/** What the adapter sends for a charge, as MultiSafepay would read it. */
export const announced = async (changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> => {
  const { psp, requests } = atMultiSafepay(created())
  await psp.announce({ ...charge, ...changes }, patience)
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return request.json()
}
