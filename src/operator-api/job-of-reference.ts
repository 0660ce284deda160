import { SANDBOX_ACCOUNT } from '../registry/account.ts'
import { parseJobId } from '../contract/job-id.ts'
import type { JobKey } from '../job/rules/job-row.ts'
import { readJob } from '../job/call-job.ts'
import { ADAPTERS, adapterOf } from '../psp/adapters.ts'
import { connect } from '../psp/connect.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { listAccounts } from '../registry/accounts.ts'

/** More accounts of a PSP than these are not asked. */
const MOST_ASKED = 30

/**
 * The jobs that a PSP's reference leads to, found without an index of references, which would cost each payment a row of D1. A reference
 * may be the id of a job; else the accounts of the PSPs that have references of that form are asked, at once. `isOne` is whether it has
 * such a form: then a row may have it, though no PSP says so.
 */
export async function jobsOfReference(
  env: Env,
  text: string,
  account?: string,
): Promise<{ isOne: boolean; jobs: JobKey[] }> {
  const id = parseJobId(text)
  if (id !== null) return { isOne: false, jobs: await jobsAt(env, [id]) }
  if (!Object.values(ADAPTERS).some(({ isReference }) => isReference(text))) return { isOne: false, jobs: [] }
  const all = [SANDBOX_ACCOUNT, ...(await listAccounts(env.DB))]
  const asked = all.filter(
    ({ id: one, psp }) => isReferenceAt(psp, text) && (account === undefined || one === account),
  )
  if (asked.length > MOST_ASKED) return { isOne: true, jobs: [] }
  const named = await Promise.all(
    asked.map(async (one) => (await connect(env, one, currentOrigin())).jobOf?.(text) ?? null),
  )
  return { isOne: true, jobs: await jobsAt(env, named) }
}

/** The sandbox is a PSP of Mollie's API. */
function isReferenceAt(psp: string, text: string): boolean {
  return adapterOf(psp === SANDBOX_ACCOUNT.psp ? 'mollie' : psp)?.isReference(text) ?? false
}

/** What other hubs that use the same account made is no job here. */
async function jobsAt(env: Env, named: readonly (string | null)[]): Promise<JobKey[]> {
  const ids = new Set(named.flatMap((text) => parseJobId(text ?? '') ?? []))
  const found = await Promise.all([...ids].map((id) => readJob(env, id)))
  return found.flatMap((job) => (job === null ? [] : { id: job.id, pos: job.pos, created: job.created }))
}
