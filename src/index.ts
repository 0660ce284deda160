import { posApi } from './pos-api/routes.ts'
import { checkout } from './checkout/routes.ts'
import { operatorApi } from './operator-api/routes.ts'
import type { Door } from './http/routes.ts'
import { notifications } from './notifications/routes.ts'
import { sandbox } from './sandbox/routes.ts'
import { consumeJobIndex } from './queues/job-index.ts'
import { consumeProfileRefreshes } from './queues/profile-refresh.ts'
import { consumeDeadReports, consumeReports } from './queues/reports.ts'

export { PaymentJob } from './payment-job/payment-job.ts'
export { JobLedger } from './storage/objects/job-directory.ts'
export { ReportDelivery } from './reports/report-delivery.ts'
export { SandboxPayment } from './sandbox/sandbox-payment.ts'

/** The doors by the first part of the path; the API's takes the rest, and says what it does not know. */
const ENTRANCES: Readonly<Record<string, Door>> = {
  pay: checkout,
  return: checkout,
  notifications: notifications,
  operator: operatorApi,
  sandbox: sandbox,
}

const CONSUMERS: Readonly<Record<string, (batch: MessageBatch, env: Env) => Promise<void>>> = {
  'payment-hub-reports': consumeReports,
  'payment-hub-reports-dead': consumeDeadReports,
  'payment-hub-job-index': consumeJobIndex,
  'payment-hub-edge': consumeProfileRefreshes,
}

export default {
  fetch(request, env) {
    const [, first = ''] = new URL(request.url).pathname.split('/', 2)
    return (Object.hasOwn(ENTRANCES, first) && ENTRANCES[first] ? ENTRANCES[first] : posApi)(request, env)
  },
  async queue(batch, env) {
    const consume = CONSUMERS[batch.queue]
    if (!consume) throw new Error(`no consumer for queue ${batch.queue}`)
    await consume(batch, env)
  },
} satisfies ExportedHandler<Env>
