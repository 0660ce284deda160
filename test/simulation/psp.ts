import { mollieProblem, type MolliePayment, type MollieStatus } from '../support/psps/mollie-payment.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import type { PspFault } from './commands.ts'
import type { LateAnswers } from './late.ts'

export type PspStatus = MollieStatus

/**
 * A payment of Mollie's double, with what only the simulation knows. `looks` are the hub's questions about it, and what
 * they got; `paidWhile` is how the job stood when it was paid, `notified` whether the hub has taken a notification since;
 * `been` is every status it had.
 */
export type Payment = MolliePayment & {
  looks: { at: number; got: 'the truth' | 'a 404' | 'nothing' }[]
  paidWhile: string | null
  notified: boolean
  been: Set<PspStatus>
}

/** The hub waits this long for a PSP. */
const PATIENCE = 8000

/** Says when Mollie fails and how, and keeps the truth of every payment. Its answers are those of its double. */
export const modelPsp = (late: LateAnswers) => {
  const mollie = mollieFake()
  const payments: Payment[] = []
  const notices: Payment[] = []
  let fault: { is: PspFault; calls: number } | null = null
  const psp = {
    payments,
    /** The payments that the hub is still to be notified of, once for each change. */
    notices,
    /** Jobs whose payment was refused. */
    refused: new Set<string>(),
    /** How long (ms) payments to come can be paid; null: for as long as the hub lets them. */
    lives(life: number | null) {
      mollie.life = life
    },
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
      const found = mollie.find(request)
      const payment = payments.find(({ id }) => id === found?.id)
      const look: Payment['looks'][number] = { at: Date.now(), got: 'nothing' }
      payment?.looks.push(look)
      if (now === 'answers 500') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'is busy with the same announcement' && request.method === 'POST')
        return mollieProblem(409, 'Conflict', 'The same request is under way')
      if (now === 'refuses new payments' && request.method === 'POST' && !payment) {
        psp.refused.add(request.headers.get('idempotency-key') ?? '')
        return mollieProblem(422, 'Unprocessable Entity', 'No new payments now')
      }
      if (now === 'does not know the payment' && request.method !== 'POST') {
        look.got = 'a 404'
        return mollieProblem(404, 'Not Found', 'No payment exists')
      }
      const response = await act(request, payment)
      if (now === 'does what it is asked, but its answer is lost') throw new TypeError('network')
      if (now === 'does what it is asked, but answers nonsense') return new Response('<h1>Hello</h1>')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      look.got = 'the truth'
      return response
    },
  }

  const act = async (request: Request, payment: Payment | undefined): Promise<Response> => {
    const response = await mollie.handle(request)
    for (const made of mollie.payments.slice(payments.length)) {
      payments.push(
        Object.assign(made, { looks: [], paidWhile: null, notified: false, been: new Set<PspStatus>() }),
      )
    }
    if (request.method === 'DELETE' && response.ok && payment) psp.becomes(payment, 'canceled')
    return response
  }
  return psp
}
export type ModelPsp = ReturnType<typeof modelPsp>
