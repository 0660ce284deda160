import hub, {
  JobLedger as HubJobLedger,
  PaymentJob as HubPaymentJob,
  ReportDelivery as HubReportDelivery,
} from '../../../src/index.ts'
import { count, takeCounts } from './counts.ts'
import { meteredBatch, meteredEnv } from './metered-bindings.ts'
import { meteredObject } from './metered-object.ts'

export { AuditLog, ReportListener, SandboxPayment } from '../../../src/index.ts'

/** The hub, with everything counted that the platform bills. Its code is the hub's own; the wrappers are around it. */
export class PaymentJob extends meteredObject(HubPaymentJob) {}
export class JobLedger extends meteredObject(HubJobLedger) {}
export class ReportDelivery extends HubReportDelivery {
  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, meteredEnv(env))
  }
}

type Metered = { ring(): Promise<number | null>; look(): Promise<{ alarmAt: number | null; bytes: number }> }

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    if (!url.pathname.startsWith('/meter/')) {
      count('worker requests', `${request.method} ${url.pathname.split('/')[1]}`)
      return hub.fetch(request, meteredEnv(env))
    }
    const job = env.PAYMENT_JOB.getByName(url.searchParams.get('job') ?? '') as unknown as Metered
    switch (url.pathname) {
      case '/meter/ring':
        return Response.json(await job.ring())
      case '/meter/look':
        return Response.json(await job.look())
      default:
        return Response.json(takeCounts())
    }
  },
  async queue(batch, env) {
    count('worker requests', `queue ${batch.queue}`)
    await hub.queue(meteredBatch(batch), meteredEnv(env))
  },
} satisfies ExportedHandler<Env>
