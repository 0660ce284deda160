import type { PspFault } from './commands.ts'
import type { LateAnswers } from './late.ts'

export type PspStatus = 'open' | 'pending' | 'paid' | 'canceled' | 'failed' | 'expired'

/**
 * The truth about one payment. `looks` are the hub's questions about it, and what they got; `paidWhile` is
 * how the job stood when it was paid, `heard` whether the hub has taken a notification since; `been` is every status it had.
 */
export type Payment = {
  id: string
  job: string
  url: string
  back: string
  notify: string
  keyUntil: number
  status: PspStatus
  expiresAt: number | null
  amount: { value: string; currency: string }
  looks: { at: number; got: 'the truth' | 'a 404' | 'nothing' }[]
  paidWhile: string | null
  heard: boolean
  been: Set<PspStatus>
}

/** Mollie forgets an Idempotency-Key after an hour: https://docs.mollie.com/reference/api-idempotency */
const KEY_LIFE = 3_600_000
/** The hub waits this long for a PSP. */
const PATIENCE = 8000

/** Plays Mollie, and keeps the truth of every payment. `life` is that of payments to come. */
export const modelPsp = (late: LateAnswers) => {
  const payments: Payment[] = []
  const notices: Payment[] = []
  let fault: { is: PspFault; calls: number } | null = null
  const psp = {
    payments,
    /** The payments that the hub is still to be notified of, once for each change. */
    notices,
    /** Jobs whose payment was refused. */
    refused: new Set<string>(),
    life: null as number | null,
    breaks(is: PspFault, calls: number) {
      fault = { is, calls: is === 'is busy with the same announcement' ? Math.min(calls, 2) : calls }
    },
    mends: () => void (fault = null),
    /** A PSP remembers keys for a while at best. */
    forgetsKeys() {
      for (const payment of payments) payment.keyUntil = 0
    },
    /** Whether the next answer will be held back. */
    isLate: () => fault?.is === 'answers late',
    of: (job: string) => payments.filter((payment) => payment.job === job),
    /** Moves a payment on, of which the hub is to be notified. */
    becomes(payment: Payment, status: PspStatus) {
      payment.status = status
      payment.been.add(status)
      notices.push(payment)
    },
    /** Ends what is past its time. */
    tick() {
      for (const payment of payments) {
        if (payment.status === 'open' && payment.expiresAt !== null && payment.expiresAt <= Date.now()) {
          psp.becomes(payment, 'expired')
        }
      }
    },
    async answer(request: Request): Promise<Response> {
      psp.tick()
      const now = fault?.is ?? null
      if (fault && --fault.calls === 0) fault = null
      const payment = await find(request)
      const look: Payment['looks'][number] = { at: Date.now(), got: 'nothing' }
      payment?.looks.push(look)
      if (now === 'answers 500') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'is busy with the same announcement' && request.method === 'POST') return problem(409)
      if (now === 'refuses new payments' && request.method === 'POST' && !payment) {
        psp.refused.add(request.headers.get('idempotency-key') ?? '')
        return problem(422)
      }
      if (now === 'does not know the payment' && request.method !== 'POST') {
        look.got = 'a 404'
        return problem(404)
      }
      const [status, body] = await act(request, payment)
      if (now === 'does what it is asked, but its answer is lost') throw new TypeError('network')
      if (now === 'does what it is asked, but answers nonsense') return new Response('<h1>Hello</h1>')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      look.got = 'the truth'
      return Response.json(body, { status })
    },
  }

  const find = async (request: Request): Promise<Payment | undefined> => {
    if (request.method !== 'POST') {
      const id = new URL(request.url).pathname.split('/').at(-1)
      return payments.find((payment) => payment.id === id)
    }
    const key = request.headers.get('idempotency-key')
    return payments.find((payment) => payment.job === key && payment.keyUntil > Date.now())
  }

  const act = async (
    request: Request,
    known: Payment | undefined,
  ): Promise<[status: number, body: object]> => {
    if (request.method === 'POST') return [201, shown(known ?? (await announce(request)))]
    if (!known) return [404, { title: 'Not Found', detail: 'none' }]
    if (request.method === 'DELETE') {
      if (known.status !== 'open') return [422, { title: 'Unprocessable', detail: 'cannot be canceled' }]
      psp.becomes(known, 'canceled')
    }
    return [200, shown(known)]
  }

  const announce = async (request: Request): Promise<Payment> => {
    const asked = await request.json<{
      amount: Payment['amount']
      redirectUrl: string
      webhookUrl: string
    }>()
    const id = `tr_${payments.length}${crypto.randomUUID().slice(0, 8)}`
    const payment: Payment = {
      id,
      job: request.headers.get('idempotency-key') ?? '',
      url: `https://www.mollie.com/checkout/${id}`,
      back: asked.redirectUrl,
      notify: asked.webhookUrl,
      keyUntil: Date.now() + KEY_LIFE,
      status: 'open',
      expiresAt: psp.life === null ? null : Date.now() + psp.life,
      amount: asked.amount,
      looks: [],
      paidWhile: null,
      heard: false,
      been: new Set(),
    }
    payments.push(payment)
    return payment
  }
  return psp
}
export type ModelPsp = ReturnType<typeof modelPsp>

const problem = (status: number): Response =>
  Response.json({ status, title: 'No', detail: 'not now', field: null }, { status })

const shown = ({ id, status, amount, expiresAt, url }: Payment) => ({
  resource: 'payment',
  id,
  status,
  amount,
  ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  _links: { checkout: { href: url } },
})
