import type { StoredJob } from '../contract/backup.ts'
import { fold, readEntry } from '../job/core/journal.ts'
import type { Payment } from '../job/core/payment.ts'
import type { State } from '../job/core/state.ts'
import { ASIDE } from '../job/journal-store.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { findAccount, openAccount, railOf } from '../psp/connect.ts'
import { profileById } from '../registry/profiles.ts'

/** How many jobs the hub asks about at the same time: a request has few connections. */
const AT_ONCE = 5

/**
 * Asks PSPs about the money in jobs of a backup that no hub signed. Returns why a job may not be reported, by its id:
 * its PSP does not confirm the money, or the hub would instruct the PSP. Asks an account that does not answer once.
 */
export async function unconfirmed(env: Env, jobs: readonly StoredJob[]): Promise<Map<string, string>> {
  const silent = new Set<string>()
  const found = new Map<string, string>()
  for (let from = 0; from < jobs.length; from += AT_ONCE)
    await Promise.all(
      jobs.slice(from, from + AT_ONCE).map(async ({ id, stored }) => {
        const why = await whyUnconfirmed(env, stored, silent)
        if (why !== null) found.set(id, `nobody signed it, and ${why}`)
      }),
    )
  return found
}

async function whyUnconfirmed(
  env: Env,
  stored: StoredJob['stored'],
  silent: Set<string>,
): Promise<string | null> {
  const entries = stored
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ value }, at) => readEntry(at + 1, value))
    .flatMap((entry) => (entry.ok ? [entry.value] : []))
  if (stored.some(({ key }) => key.startsWith(ASIDE.prefix)))
    return 'it has notifications that are not counted yet'
  const state = fold(entries)
  if (!state) return null
  if (state.instructions.some(({ state: at }) => at === 'asking' || at === 'waiting'))
    return 'it would instruct its PSP'
  const held = state.payments.filter(({ paid, authorized }) => paid > 0 || authorized > 0)
  if (held.length === 0) return state.standing.is === 'paid' ? 'it names no payment' : null
  if (!state.isLive && (await profileById(env.DB, state.pos))?.profile.mode === 'test') return null
  for (const payment of held) {
    if (silent.has(payment.account)) return `${payment.account} does not answer`
    const answer = await confirmation(env, state, payment)
    if (answer === 'silent') silent.add(payment.account)
    if (answer !== 'confirmed') return `${payment.account} does not confirm payment ${payment.reference}`
  }
  return null
}

/** Asks whether an account has at least the money that a job says, for this job. */
async function confirmation(
  env: Env,
  job: State,
  payment: Payment,
): Promise<'confirmed' | 'refuted' | 'silent'> {
  const { account, reference, way } = payment
  const [known, psp] = [await findAccount(env, account), await openAccount(env, account, currentOrigin())]
  if (!known || !psp || (job.isLive && known.mode !== 'live')) return 'refuted'
  const answer = await railOf(psp, way).ask(reference, job.order.currency)
  if (answer.is === 'unavailable') return 'silent'
  if (answer.is !== 'observed' || answer.paid < payment.paid - payment.lost) return 'refuted'
  if ((answer.authorized ?? answer.paid) < payment.authorized) return 'refuted'
  return reference === job.id || (await psp.jobOf?.(reference)) === job.id ? 'confirmed' : 'refuted'
}
