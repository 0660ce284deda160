import { pause } from '../../client/pause.ts'
import type { PaymentJob } from '../../contract/payment-job.ts'
import { type Answered, type Shop, ShopFault } from './shop.ts'

/** How long (ms) a shop may take to act on a report that it has answered. */
const PATIENCE = 5000
const LOOK_EVERY = 200
/** How long (ms) a shop that would act on a report wrongly is given to do so. */
const WRONG_PATIENCE = 400

export type Money = { amount: string; currency: string }

export function isTaken(answer: Answered): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300
}

/** A shop that reckons with other decimals asks for another amount. */
export function checkAmount(job: PaymentJob, { amount, currency }: Money): void {
  if (job.currency === currency && Number(job.amountDue) === Number(amount)) return
  throw new ShopFault(`asked for ${job.currency} ${job.amountDue} in place of ${currency} ${amount}`)
}

/** What a shop says beside `paid` is judged where it says it. */
export async function expectPaid(shop: Shop, orderNumber: string, back: string): Promise<void> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const { paid, handled = 1, refunded = back } = await shop.standing(orderNumber)
    const isRight = paid && Number(refunded) === Number(back)
    if (paid && handled > 1) throw new ShopFault(`handled one paid order ${handled} times`)
    if (isRight) return
    if (Date.now() > end) {
      throw new ShopFault(
        paid ? `says that ${refunded} went back, in place of ${back}` : 'calls an order unpaid that is paid',
      )
    }
    await pause(LOOK_EVERY)
  }
}

export async function expectUnpaid(shop: Shop, orderNumber: string): Promise<void> {
  await pause(WRONG_PATIENCE)
  const { paid } = await shop.standing(orderNumber)
  if (paid) throw new ShopFault('calls an order paid that is not')
}
