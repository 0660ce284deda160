import { refusalPage } from './checkout/notices.tsx'
import { checkout } from './checkout/routes.ts'
import { readConfig } from './platform/config.ts'
import { consoleOf } from './console/serve.tsx'
import { refusePlainHttp, withHsts } from './platform/http/respond.ts'
import { type Refusal, problem } from './platform/http/refusal.ts'
import type { Entrance } from './platform/http/routes.ts'
import { log } from './platform/log.ts'
import { watchAll } from './monitoring/watch-all.ts'
import { health } from './monitoring/hub-parts.ts'
import { notifications } from './notifications/notifications.ts'
import { consumeBackups, startBackup } from './backup/daily-backup.ts'
import { operatorApi } from './operator-api/routes.ts'
import { posApi } from './pos-api/routes.ts'
import { posApiV1 } from './pos-api/v1-routes.ts'
import { consumeAlerts } from './monitoring/alerts.ts'
import { consumeDeadReports, consumeReports } from './reports/report-delivery.ts'
import { consumeJobIndex } from './job-index/consume-rows.ts'
import { consumeBooks, startFetches } from './books/consume-payouts.ts'
import { consumeCopies } from './registry/publish-after.ts'
import { consumeSweeps, startBringingRows, startChecks, startSweeps } from './job-index/sweeps.ts'
import { withPatience } from './platform/patience.ts'
import { inRequest, requestIdOf } from './platform/request-context.ts'
import { keepAuditHeads } from './audit/audit-heads.ts'
import { sandbox } from './sandbox/routes.ts'
import { SITE_ADDRESSES, site } from './site/routes.ts'

export { PaymentJob } from './job/payment-job.ts'
export { ReportListener } from './reports/report-listener.ts'
export { ReportDelivery } from './reports/report-delivery.ts'
export { SandboxPayment } from './psp/sandbox/sandbox-payment.ts'
export { AuditLog } from './audit/audit-log.ts'
export { JobDirectory } from './job-index/job-directory.ts'

/**
 * The entrances by the path or its first part. The API of points of sale takes the rest, and
 * answers for unknown paths.
 */
const ENTRANCES: Readonly<Record<string, Entrance>> = {
  ...Object.fromEntries(SITE_ADDRESSES.map((address) => [address, site])),
  pay: checkout,
  receipt: checkout,
  return: checkout,
  notifications,
  api: posApiV1,
  operator: operatorApi,
  console: consoleOf(operatorApi),
  sandbox,
  healthz: health,
}

/** The consumers by the last part of the queue's name: each environment has its own first part. */
const CONSUMERS: Readonly<Record<string, (batch: MessageBatch, env: Env) => Promise<void>>> = {
  reports: consumeReports,
  'reports-dead': consumeDeadReports,
  'job-index': consumeJobIndex,
  copies: consumeCopies,
  sweeps: consumeSweeps,
  books: consumeBooks,
  alerts: consumeAlerts,
  backups: consumeBackups,
}

/** The tasks by wrangler.toml's crons (UTC). Tasks must not throw: one would stop the others. */
const SCHEDULES: Readonly<Record<string, readonly ((env: Env, now: number) => Promise<void>)[]>> = {
  '17 * * * *': [startSweeps, startChecks, keepAuditHeads, startFetches, startBackup],
  '*/5 * * * *': [watchAll, startBringingRows],
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    // The audit log names requests of operators, so the hub chooses their ids.
    const isOperators = /^\/(operator|console)(\/|$)/.test(url.pathname)
    const id = isOperators ? crypto.randomUUID() : requestIdOf(request)
    const response = await inRequest(() => serve(request, url, withPatience(env)), { id, origin: url.origin })
    response.headers.set('x-request-id', id)
    return response
  },
  async queue(batch, env) {
    const [, consume] = Object.entries(CONSUMERS).find(([name]) => batch.queue.endsWith(`-${name}`)) ?? []
    if (!consume) throw new Error(`no consumer for queue ${batch.queue}`)
    await inRequest(() => consume(batch, env))
  },
  async scheduled({ cron, scheduledTime }, env) {
    const tasks = SCHEDULES[cron]
    if (!tasks) throw new Error(`nothing is scheduled at ${cron}`)
    await inRequest(() => Promise.all(tasks.map((task) => task(env, scheduledTime))))
  },
} satisfies ExportedHandler<Env>

async function serve(request: Request, url: URL, env: Env): Promise<Response> {
  const { weakSecrets, loopback } = readConfig(env)
  const refused = loopback ? null : refusePlainHttp(request)
  if (refused) return refused
  const [, first = ''] = url.pathname.split('/', 2)
  const part = [url.pathname.slice(1), first].find((one) => Object.hasOwn(ENTRANCES, one))
  const entrance = part === undefined ? posApi : (ENTRANCES[part] ?? posApi)
  if (weakSecrets.length > 0) {
    const refusal = unsafe(weakSecrets)
    return entrance === checkout ? refusalPage(request, 'UNAVAILABLE', refusal) : problem(refusal)
  }
  return withHsts(request, await entrance(request, env))
}

/** Returns the error that answers every request, because somebody could guess the hub's secrets. */
function unsafe(names: readonly string[]): Refusal {
  const detail = `Set these secrets to 32 random bytes each, in hex or base64, no two the same: ${names.join(', ')}.`
  log.error('config.weak-secrets', { names: names.join(', ') })
  return { code: 'hub-misconfigured', detail, retryAfter: 60 }
}
