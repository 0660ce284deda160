import { apiDoor } from './api/door.ts'
import { checkoutDoor } from './checkout/door.ts'
import { consoleDoor } from './console/door.ts'
import type { Door } from './http/door.ts'
import { notificationsDoor } from './notifications/door.ts'
import { sandboxDoor } from './psp/sandbox/door.ts'
import { consumeJobIndex } from './registry/consume-job-index.ts'
import { consumeEdge } from './tokens/consume-edge.ts'
import { consumeDeadReports, consumeReports } from './reports/consume.ts'

export { PaymentJob } from './payment-job/payment-job.ts'
export { JobLedger } from './registry/job-ledger.ts'
export { ReportDelivery } from './reports/report-delivery.ts'
export { SandboxPayment } from './psp/sandbox/sandbox-payment.ts'

/** The doors by the first part of the path; the API's takes the rest, and says what it does not know. */
const DOORS: Readonly<Record<string, Door>> = {
  pay: checkoutDoor,
  return: checkoutDoor,
  notifications: notificationsDoor,
  operator: consoleDoor,
  sandbox: sandboxDoor,
}

const CONSUMERS: Readonly<Record<string, (batch: MessageBatch, env: Env) => Promise<void>>> = {
  'payment-hub-reports': consumeReports,
  'payment-hub-reports-dead': consumeDeadReports,
  'payment-hub-job-index': consumeJobIndex,
  'payment-hub-edge': consumeEdge,
}

export default {
  fetch(request, env) {
    const [, first = ''] = new URL(request.url).pathname.split('/', 2)
    return (Object.hasOwn(DOORS, first) && DOORS[first] ? DOORS[first] : apiDoor)(request, env)
  },
  async queue(batch, env) {
    const consume = CONSUMERS[batch.queue]
    if (!consume) throw new Error(`no consumer for queue ${batch.queue}`)
    await consume(batch, env)
  },
} satisfies ExportedHandler<Env>
