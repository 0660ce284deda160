import type { Account } from '../registry/profile.ts'
import type { Job } from './rules/job.ts'
import { accountsFor } from '../registry/route-rules.ts'
import { log } from '../platform/log.ts'
import { findAccount } from '../psp/connect.ts'
import { readProfile } from '../registry/profile-cache.ts'
import { type AnnouncedAt, announceAtOne } from './announce.ts'
import { carriersOf } from './carriers.ts'

/** Announces a job whose PSP did not answer before, by the routes that its point of sale has now. */
export async function announceAgain(env: Env, job: Job): Promise<AnnouncedAt> {
  const [first, ...others] = await accountsNow(env, job)
  if (first) return announceAtOne(env, [first, ...others], job, 'again')
  log.error('psp.account-unknown', { job: job.id, pos: job.pos, account: job.account })
  return {
    account: job.account,
    answer: { is: 'unavailable', message: 'The payment method has no account.' },
  }
}

async function accountsNow(env: Env, job: Job): Promise<Account[]> {
  try {
    const profile = await readProfile(env, job.pos)
    const { paymentMethod } = job.order
    const accounts = profile ? carriersOf(accountsFor(profile, paymentMethod), paymentMethod) : []
    if (accounts.length > 0) return accounts
    const account = await findAccount(env, job.account)
    return account ? [account] : []
  } catch (error) {
    log.fault('psp.account-unread', error, { job: job.id, pos: job.pos, account: job.account })
    return []
  }
}
