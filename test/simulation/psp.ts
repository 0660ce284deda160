import { DAY } from '../../src/domain/timestamp.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import type { PspFault } from './commands.ts'
import type { LateAnswers } from './late.ts'
import {
  type Payment,
  type PspStatus,
  amountOf,
  hubIdOf,
  inWords,
  liveRefunds,
  newPayment,
  standing,
  tell,
  totalsOf,
} from './payments.ts'
import { checkRefundAsked, checkStop } from './psp-promises.ts'

/** The hub waits this long for a PSP. */
const PATIENCE = 8000
/** How long (ms) the PSP takes to send a refund on. */
const REFUND_TAKES = 2 * DAY

/** Says when Mollie fails and how, and keeps the truth of every payment. Its answers are those of its double. */
export const modelPsp = (late: LateAnswers, guard: (check: () => void) => void) => {
  const mollie = mollieFake()
  const payments: Payment[] = []
  const notices: Payment[] = []
  let fault: { is: PspFault; calls: number } | null = null
  const psp = {
    payments,
    /** The payments that the hub is still to be notified of, once for each change. */
    notices,
    /** Jobs whose payment was refused, and refunds that were. */
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
    /** Moves a payment on, of which the hub is to be notified where there is a `word` of it. */
    becomes(payment: Payment, status: PspStatus, word = true) {
      payment.status = status
      payment.been.add(status)
      psp.changed(payment, { word, own: false })
    },
    /** Notes that a payment or its totals have changed; `own` where a refund of the hub has caused it. */
    changed(payment: Payment, { word, own }: { word: boolean; own: boolean }) {
      payment.changes++
      if (!own) payment.foreign = payment.changes
      payment.totals.add(inWords(totalsOf(payment)))
      if (word) notices.push(payment)
    },
    /** Ends what is past its time. */
    tick() {
      const now = Date.now()
      for (const payment of payments) {
        const { status, expiresAt, ending } = payment
        if (status === 'open' && expiresAt !== null && expiresAt <= now) psp.becomes(payment, 'expired')
        if (status === 'pending' && ending && ending.at <= now) psp.becomes(payment, ending.as, ending.word)
        for (const refund of liveRefunds(payment)) {
          const made = payment.refundedAt.get(refund.id) ?? now
          // The totals stay as they are, and nobody is notified: the hub has to ask for it.
          if (made + REFUND_TAKES <= now) refund.status = 'refunded'
        }
      }
    },
    async answer(request: Request): Promise<Response> {
      psp.tick()
      const now = fault?.is ?? null
      if (fault && --fault.calls === 0) fault = null
      const { method } = request
      const [, , , id, about] = new URL(request.url).pathname.split('/')
      const payment = payments.find((candidate) => candidate.id === (id ?? mollie.find(request)?.id))
      const look: Payment['looks'][number] = { at: Date.now(), got: 'nothing' }
      if (about !== 'refunds') payment?.looks.push(look)
      if (now === 'answers 500') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'is busy with the same announcement' && method === 'POST')
        return mollieProblem(409, 'Conflict', 'The same request is under way')
      if (now === 'refuses new payments' && method === 'POST' && (!payment || about)) {
        psp.refused.add(request.headers.get('idempotency-key') ?? '')
        return mollieProblem(422, 'Unprocessable Entity', 'No new payments now')
      }
      if (now === 'does not know the payment' && method !== 'POST') {
        look.got = 'a 404'
        return mollieProblem(404, 'Not Found', 'No payment exists')
      }
      const response = await act(request, payment, about)
      const told = payment && standing(payment)
      if (now === 'does what it is asked, but its answer is lost') throw new TypeError('network')
      if (now === 'does what it is asked, but answers nonsense') return new Response('<h1>Hello</h1>')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      look.got = 'the truth'
      if (payment && told && about === undefined && response.ok && method !== 'POST') tell(payment, told)
      return response
    },
  }

  const act = async (request: Request, payment: Payment | undefined, about?: string): Promise<Response> => {
    const { method } = request
    if (method === 'DELETE' && payment) guard(() => checkStop(payment))
    const key = request.headers.get('idempotency-key') ?? ''
    const response = await mollie.handle(request)
    for (const made of mollie.payments.slice(payments.length)) payments.push(newPayment(made))
    if (!payment) return response
    if (method === 'DELETE' && response.ok) psp.becomes(payment, 'canceled')
    if (method === 'POST' && about === 'captures' && response.ok) psp.becomes(payment, 'paid')
    if (method === 'POST' && about === 'refunds' && !response.ok) psp.refused.add(key)
    const fresh = payment.refunds.filter((refund) => !payment.refundedAt.has(refund.id))
    for (const refund of fresh) {
      payment.refundedAt.set(refund.id, Date.now())
      psp.changed(payment, { word: false, own: true })
      guard(() => checkRefundAsked(payment, hubIdOf(refund), amountOf(payment)))
    }
    return response
  }
  return psp
}
export type ModelPsp = ReturnType<typeof modelPsp>
