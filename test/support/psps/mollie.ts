import type { FakePsp, Outcome } from './fake-psp.ts'

type Payment = {
  id: string
  key: string | null
  job: string
  status: string
  request: { amount: { currency: string; value: string }; webhookUrl?: string; redirectUrl: string }
  fingerprint: string
}

const STATUS: Record<Outcome, string> = {
  paid: 'paid',
  failed: 'failed',
  cancelled: 'canceled',
  expired: 'expired',
}

/** Mollie's Payments API v2, as far as the hub calls it: https://docs.mollie.com/reference/payments-api */
export const mollieFake = (): FakePsp => {
  const accounts = [{ apiKey: 'live_firstaccount01' }, { apiKey: 'live_secondaccount2' }] as const
  const keys = new Set(accounts.map(({ apiKey }) => `Bearer ${apiKey}`))
  const payments = new Map<string, Payment>()

  const create = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const body = JSON.parse(text) as Payment['request'] & {
      description?: string
      metadata?: { paymentJob: string }
    }
    if (!body.amount?.value || !body.description || !body.redirectUrl) {
      return problem(422, 'Unprocessable Entity', 'The request is not complete', 'amount')
    }
    const key = request.headers.get('idempotency-key')
    const known = [...payments.values()].find((payment) => key !== null && payment.key === key)
    if (known && known.fingerprint !== text) {
      return problem(400, 'Bad Request', 'The idempotency key was used before with other parameters')
    }
    const payment: Payment = known ?? {
      id: `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`,
      key,
      job: body.metadata?.paymentJob ?? '',
      status: 'open',
      request: body,
      fingerprint: text,
    }
    payments.set(payment.id, payment)
    return Response.json(shown(payment), { status: 201 })
  }

  const of = (job: string): Payment => {
    const payment = [...payments.values()].findLast((candidate) => candidate.job === job)
    if (!payment) throw new Error(`Mollie has no payment of job ${job}`)
    return payment
  }

  return {
    origins: ['https://api.mollie.com/v2'],
    accounts,
    async handle(request) {
      if (!keys.has(request.headers.get('authorization') ?? '')) {
        return problem(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
      }
      const [resource, id = ''] = new URL(request.url).pathname.replace(/^\/v2/, '').split('/').slice(1)
      if (resource === 'methods') return Response.json({ count: 0, _embedded: { methods: [] }, _links: {} })
      if (resource !== 'payments') return problem(404, 'Not Found', 'No route found')
      if (request.method === 'POST') return create(request)
      const payment = payments.get(id)
      if (!payment) return problem(404, 'Not Found', `No payment exists with token ${id}.`)
      if (request.method === 'DELETE') {
        if (payment.status !== 'open')
          return problem(422, 'Unprocessable Entity', 'The payment cannot be canceled')
        payment.status = 'canceled'
      }
      return Response.json(shown(payment))
    },
    bring(job, outcome) {
      const payment = of(job)
      if (payment.status !== 'open') throw new Error(`the payment is ${payment.status}`)
      payment.status = STATUS[outcome]
    },
    async notify(job) {
      const { id, status, request } = of(job)
      if (status === 'open' || !request.webhookUrl) return []
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return [{ url: request.webhookUrl, headers, body: `id=${id}` }]
    },
  }
}

const shown = ({ id, status, request }: Payment) => ({
  resource: 'payment',
  id,
  mode: 'live',
  status,
  ...request,
  createdAt: '2026-11-21T10:00:00+00:00',
  isCancelable: status === 'open',
  _links: {
    self: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
    ...(status === 'open'
      ? { checkout: { href: `https://www.mollie.com/checkout/${id}`, type: 'text/html' } }
      : {}),
  },
})

const problem = (status: number, title: string, detail: string, field?: string): Response =>
  Response.json(
    { status, title, detail, ...(field ? { field } : {}), _links: {} },
    { status, headers: { 'content-type': 'application/hal+json' } },
  )
