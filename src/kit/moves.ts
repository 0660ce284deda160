import type { NewCapture } from '../client/client.ts'
import type { Payment } from './payment.ts'

/** One thing that happens to a payment, or a question to the shop about it. */
export type ScenarioMove<In extends Payment = Payment> = (payment: In) => Promise<void> | void

type Simple =
  | 'reserve'
  | 'release'
  | 'comeBack'
  | 'isNotified'
  | 'cancelAtTill'
  | 'isUnpaid'
  | 'isInDoubt'
  | 'payAgain'

/** Moves that need no further word, one after the other. */
export function move(...simple: Simple[]): ScenarioMove {
  return async (payment) => {
    for (const one of simple) await payment[one]()
  }
}

/** Something happens at the sandbox: the customer pays, or the bank takes money back. */
export function act(action: string, options: object = {}): ScenarioMove {
  return (payment) => payment.act(action, options)
}

/** So much is captured, or all that is left. */
export function captures(body: NewCapture = {}): ScenarioMove {
  return (payment) => payment.capture(body)
}

/** So many seconds pass. */
export function later(seconds: number): ScenarioMove {
  return (payment) => payment.letPass(seconds)
}

/** So many reports say how the job stands. Then the shop must say the same. */
export function isReported(how: string, times = 1): ScenarioMove {
  return (payment) => payment.isReported(how, times)
}
