import { NEVER, RARE } from './unreached-branches.ts'

/** Files that no schedule is about, each with the reason and where it is tried instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'src/monitoring/alert-rules.ts':
    'alerts come from a schedule of five minutes, which is not played: test/monitoring',
  'src/audit/audit-chain.ts': 'nobody tampers with the audit log here: test/domain, test/operator-api',
  'src/job-index/index-shards.ts': 'INDEX_SHARDS is read once, and is right: test/job-index',
  'src/contract/job-clock.ts': 'a clock of its own is for jobs of test mode: test/domain, test/pos-api',
  'src/contract/money.ts': 'the orders are of a few right amounts in euros: test/domain',
  'src/platform/nearest.ts': 'nobody mistypes a payment method here: test/domain',
  'src/platform/role-table.ts': 'operators come by a token, not by Cloudflare Access: test/domain',
  'src/contract/timestamp.ts': 'nobody sends a time to read here: test/domain',
  'src/job/rules/why/causes.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/rules/why/ended.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/rules/why/money.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/rules/why/pending.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/rules/why/report.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/rules/why/why.ts': 'why.test.ts plays a schedule for each cause',
  'src/job/job-events.ts': 'nobody watches a job here: test/pos-api, test/payment-job',
  'src/job/job-snapshot.ts': 'nobody watches a job here: test/pos-api, test/payment-job',
  'src/job/usable-methods.ts': 'nobody lists payment methods here: test/pos-api',
  'src/job/watch-job.ts': 'nobody watches a job here: test/pos-api, test/payment-job',
  'src/job/watch-link.ts': 'nobody watches a job here: test/pos-api, test/payment-job',
  'src/job/watchers.ts': 'nobody watches a job here: test/pos-api, test/payment-job',
}

const LISTED: ReadonlySet<string> = new Set([...Object.values(NEVER), ...Object.values(RARE)].flat())

/** Whether it is known, and said why, that no seed reaches a branch. */
export function isExplained(name: string): boolean {
  return LISTED.has(name) || Object.keys(ELSEWHERE).some((file) => name.startsWith(`${file}:`))
}

/** Branches that are listed one by one as out of every schedule's reach. */
export const OUT_OF_REACH: readonly string[] = Object.values(NEVER).flat()
