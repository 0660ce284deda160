import type { NewCapture } from '../client/client.ts'
import type { Payment } from './payment.ts'

/** One thing that happens to a payment, or a question to the shop about it. */
export type ScenarioMove<In extends Payment = Payment> = (payment: In) => Promise<void> | void

/** Something happens at the sandbox: the customer pays, or the bank takes money back. */
export function act(action: string, options: object = {}): ScenarioMove {
  return (payment) => payment.act(action, options)
}

export function reserves(payment: Payment): Promise<void> {
  return payment.reserve()
}

/** So much is captured, or all that is left. */
export function captures(body: NewCapture = {}): ScenarioMove {
  return (payment) => payment.capture(body)
}

export function releases(payment: Payment): Promise<void> {
  return payment.release()
}

/** So many seconds pass. */
export function later(seconds: number): ScenarioMove {
  return (payment) => payment.letPass(seconds)
}

export function comesBack(payment: Payment): Promise<void> {
  return payment.comeBack()
}

/** So many reports say how the job stands. Then the shop must say the same. */
export function isReported(how: string, times = 1): ScenarioMove {
  return (payment) => payment.isReported(how, times)
}

export function isNotified(payment: Payment): Promise<void> {
  return payment.isNotified()
}

export function cancelsAtTill(payment: Payment): Promise<void> {
  return payment.cancelAtTill()
}

/** The hub does not know whether the money was taken. The till must not take it again. */
export async function isInDoubt(payment: Payment): Promise<void> {
  await payment.isInDoubt()
  await payment.payAgain()
}

export function isUnpaid(payment: Payment): Promise<void> {
  return payment.isUnpaid()
}
