import type { SandboxPayment } from './sandbox-payment.ts'

/** The object of a payment; undefined for a text that is no payment id. */
export const sandboxPayment = (env: Env, id: string): DurableObjectStub<SandboxPayment> | undefined =>
  /^tr_\w{10,40}$/.test(id) ? env.SANDBOX_PAYMENT.getByName(id) : undefined
