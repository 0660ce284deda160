import type {
  Capture,
  CaptureList,
  NewCapture,
  NewRefund,
  Refund,
  RefundList,
} from '../contract/instruction.ts'
import type { CreatedPaymentJob, PaymentJob, PaymentJobList } from '../contract/payment-job.ts'
import type { PaymentMethods } from '../contract/payment-methods.ts'
import type { ProblemCode } from '../contract/problems.ts'
import type { TerminalList } from '../contract/terminals.ts'
import type { JobReportList, OwnFailingReports } from '../contract/failing-reports.ts'
import { type Request, wayTo } from './way.ts'
import { HubError } from './hub-error.ts'
import { either } from './pause.ts'
import { jobChanges, waitFor } from './job-changes.ts'
import type { CallOptions, Hub, HubOptions, JobQuery, JobReference, RefundOptions } from './types.ts'

type HubCall = <Body>(request: Request, wanted?: CallOptions) => Promise<Body>

/** Returns the operations of a point of sale. Create it once per program: it caches the token. */
export function createHub(options: HubOptions): Hub {
  const way = wayTo(options)
  const ask = async <Body>(request: Request, wanted?: CallOptions): Promise<Body> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
    (await way.call(request, wanted)).body as Body
  const write = <Body>(
    path: string,
    content: object,
    { idempotencyKey, pin, ...wanted }: RefundOptions = {},
  ) =>
    ask<Body>(
      {
        method: 'POST',
        path,
        body: JSON.stringify(content),
        headers: {
          'idempotency-key': idempotencyKey ?? crypto.randomUUID(),
          ...(pin ? { 'refund-pin': pin } : {}),
        },
      },
      wanted,
    )
  const get = <Body>(path: string, wanted?: CallOptions) => ask<Body>({ method: 'GET', path }, wanted)

  return {
    paymentMethods: ({ language, ...wanted } = {}) =>
      get<PaymentMethods>(`/v2/paymentmethods${queryOf({ language })}`, wanted),
    listTerminals: async (wanted) => (await get<TerminalList>('/v2/terminals', wanted)).terminals,
    createPaymentJob: (order, wanted) =>
      write<CreatedPaymentJob>(
        '/v2/paymentjobs',
        { timestamp: Math.floor(Date.now() / 1000), ...order },
        wanted,
      ),
    getPaymentJob: (job, wanted) => get<PaymentJob>(pathOf(job), wanted),
    listPaymentJobs: (query = {}, wanted) => get<PaymentJobList>(`/v2/paymentjobs${searchOf(query)}`, wanted),
    capture: (job, capture: NewCapture = {}, wanted) =>
      write<Capture>(`${pathOf(job)}/captures`, capture, wanted),
    captures: async (job, wanted) => (await get<CaptureList>(`${pathOf(job)}/captures`, wanted)).captures,
    release: (job, wanted) => end(ask, pathOf(job), RELEASE, wanted),
    refund: (job, refund: NewRefund = {}, wanted) => write<Refund>(`${pathOf(job)}/refunds`, refund, wanted),
    refunds: async (job, wanted) => (await get<RefundList>(`${pathOf(job)}/refunds`, wanted)).refunds,
    cancel: (job, wanted) => end(ask, pathOf(job), CANCEL, wanted),
    reports: async (job, wanted) => (await get<JobReportList>(`${pathOf(job)}/reports`, wanted)).reports,
    resendReport: async (job, wanted) => {
      const request = { method: 'POST', path: `${pathOf(job)}/reports/resend` } as const
      return (await ask<JobReportList>(request, wanted)).reports
    },
    failingReports: ({ after, ...wanted } = {}) =>
      get<OwnFailingReports>(`/v2/reports${queryOf({ failing: '1', after })}`, wanted),
    advance: async (job, time, { signal, timeout = 30_000 } = {}) => {
      const request = { method: 'POST', path: `${pathOf(job)}/advance`, body: JSON.stringify(time) } as const
      const { body } = await way.once(request, either(AbortSignal.timeout(timeout), signal))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
      return body as PaymentJob
    },
    waitFor: (job, wanted) => waitFor(way, pathOf(job), wanted),
    watch: (job, wanted) => jobChanges(way, pathOf(job), wanted),
  }
}

/** A way to end a payment. `late` is the code of the refusal if the payment may already have ended so. */
type End = { action: string; late: ProblemCode; isDone: (job: PaymentJob) => boolean }

const CANCEL: End = {
  action: 'cancel',
  late: 'cancel-too-late',
  isDone: ({ status }) => status === 'CANCELLED',
}
const RELEASE: End = {
  action: 'release',
  late: 'capture-nothing-left',
  isDone: ({ amountReleased }) => amountReleased !== undefined,
}

/** Ends a payment. Accepts a job that has already ended so, because the first answer may be lost. */
async function end(
  ask: HubCall,
  path: string,
  { action, late, isDone }: End,
  wanted?: CallOptions,
): Promise<PaymentJob> {
  try {
    return await ask<PaymentJob>({ method: 'POST', path: `${path}/${action}` }, wanted)
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== late) throw error
    const job = await ask<PaymentJob>({ method: 'GET', path }, wanted)
    if (isDone(job)) return job
    throw error
  }
}

function pathOf(job: JobReference): string {
  return `/v2/paymentjobs/${encodeURIComponent(typeof job === 'string' ? job : job.paymentJob)}`
}

function searchOf({ orderNumber, orderId, from, to, status, limit, after }: JobQuery): string {
  return queryOf({
    order_number: orderNumber,
    order_id: orderId,
    from: textOf(from),
    to: textOf(to),
    status,
    limit: limit?.toString(),
    after,
  })
}

function textOf(time: string | Date | undefined): string | undefined {
  return typeof time === 'string' ? time : time?.toISOString()
}

function queryOf(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
