import { consumeSweeps } from '../../../src/job-index/sweeps.ts'
import { sweepMessage } from '../../../src/job-index/sweep-message.ts'
import hub, {
  JobDirectory as HubJobDirectory,
  PaymentJob as HubPaymentJob,
  ReportDelivery as HubReportDelivery,
} from '../../../src/index.ts'
import { count, ends, standing, takeCounts } from './counts.ts'
import { advanceTo } from './clock.ts'
import { meteredBatch, meteredEnv } from './metered-bindings.ts'
import { meterConsole } from './metered-console.ts'
import { meteredObject } from './metered-object.ts'

export { AuditLog, ReportListener, SandboxPayment } from '../../../src/index.ts'

meterConsole()

/** The hub, wrapped so that everything counts that the platform bills. Its own code is unchanged. */
export class PaymentJob extends meteredObject(HubPaymentJob) {}
export class JobDirectory extends meteredObject(HubJobDirectory) {}
export class ReportDelivery extends HubReportDelivery {
  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, meteredEnv(env))
  }
}

/** Runs the sweep after a job's retention time. Its message does not count, because 200 jobs share it. */
async function sweep(env: Env, created: number): Promise<void> {
  const end = created / 1000 + (Number(env.RETENTION_DAYS) + 1) * 86_400_000
  advanceTo(end)
  const only = { status: null, from: created, to: created + 1, changedBefore: end * 1000 }
  const message = { body: sweepMessage.write({ sweep: only, after: null }), ack: () => {}, retry: () => {} }
  const batch = { queue: 'payment-hub-sweeps', messages: [message] } as unknown as MessageBatch
  await consumeSweeps(batch, meteredEnv(env))
}

type Metered = {
  ring(): Promise<number | null>
  look(): Promise<{ alarmAt: number | null; bytes: number; created: number }>
}

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
      case '/meter/notified': {
        // The first notification of a day is not a cost of each payment.
        const noted = JSON.stringify({ version: 1, counted: Date.now(), refused: null })
        await env.TOKENS.put('notified:mollie', noted)
        return Response.json({})
      }
      case '/meter/sweep':
        return Response.json(await sweep(env, (await job.look()).created))
      case '/meter/standing':
        return Response.json(standing())
      default:
        return Response.json(takeCounts())
    }
  },
  async queue(batch, env) {
    count('worker requests', `queue ${batch.queue}`)
    await hub.queue(meteredBatch(batch), meteredEnv(env))
    if (batch.queue !== 'payment-hub-copies') ends(batch.messages.length)
  },
} satisfies ExportedHandler<Env>
