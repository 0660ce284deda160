import { describeFault } from '../domain/fault.ts'
import type { Job } from '../domain/job.ts'
import { SILENT_PSP, connect } from '../psp/connect.ts'
import type { Psp } from '../psp/port.ts'
import { SANDBOX_ACCOUNT } from '../domain/account.ts'
import { accountOf } from '../storage/kv/account-cache.ts'

/** The PSP that holds a job's payment; one that stays silent while its account cannot be found. */
export const openPsp = async (env: Env, job: Pick<Job, 'account' | 'origin'>): Promise<Psp> => {
  if (job.account === SANDBOX_ACCOUNT.id) return connect(env, SANDBOX_ACCOUNT, job.origin)
  try {
    const account = await accountOf(env, job.account)
    if (account) return await connect(env, account, job.origin)
    console.error({ event: 'psp.account-unknown', account: job.account })
  } catch (error) {
    console.error({ event: 'psp.account-unread', account: job.account, error: describeFault(error) })
  }
  return SILENT_PSP
}
