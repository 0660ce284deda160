import { describeFault } from '../domain/fault.ts'
import type { Job } from '../domain/job.ts'
import { accountsFor } from '../domain/payment-routes.ts'
import type { Account } from '../domain/account.ts'
import { accountOf } from '../storage/kv/account-cache.ts'
import { profileOf } from '../storage/kv/profile-cache.ts'
import { type AnnouncedAt, announceAtOne } from './announce.ts'

/** Announces a job whose PSP did not answer before, by the routes that its point of sale has now. */
export const announceAgain = async (env: Env, job: Job): Promise<AnnouncedAt> => {
  const [first, ...others] = await accountsNow(env, job)
  if (first) return announceAtOne(env, [first, ...others], job)
  console.error({ event: 'psp.account-unknown', account: job.account })
  return {
    account: job.account,
    answer: { is: 'unavailable', message: 'The payment method has no account.' },
  }
}

const accountsNow = async (env: Env, job: Job): Promise<Account[]> => {
  try {
    const profile = await profileOf(env, job.pos)
    const accounts = profile ? accountsFor(profile, job.order.paymentMethod) : []
    if (accounts.length > 0) return accounts
    const account = await accountOf(env, job.account)
    return account ? [account] : []
  } catch (error) {
    console.error({ event: 'psp.account-unread', account: job.account, error: describeFault(error) })
    return []
  }
}
