import { accountsHealth, checkAccounts } from '../monitoring/check-accounts.ts'
import { shopsOwed } from '../monitoring/failing-shops.ts'
import { lookAt, partsOf } from '../monitoring/hub-parts.ts'
import { GIVEN_UP_FOR } from '../monitoring/alert-rules.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { VERSION } from '../platform/version.ts'
import type { AccountHealth, HubHealth, PartHealth } from '../contract/hub-health.ts'
import type { FailingShop } from '../contract/failing-reports.ts'
import { representShop } from './failing-reports.ts'
import type { OperatorHandler } from './handler.ts'
import { lackOf } from './permission.ts'
import { reply } from '../platform/http/operations.ts'

/** How long (ms) all accounts together may take to be asked. */
const CHECKS_DEADLINE = 25_000

/** Without these no payment is made. */
const NEEDED = new Set(['KV', 'payment jobs'])

/**
 * `GET /operator/v1/health?check`: how each part is. Each has a few seconds, and a fault is what
 * was found out: this answers while all else is down. With `check=1` the PSPs are asked now, for
 * those who may check an account.
 */
export const showHealth: OperatorHandler<'showHubHealth'> = async (asked, operator) => {
  const { env, isHead, query } = asked
  const isAsked = query.check === '1' && !isHead
  // Each account is a call to its PSP, which counts them.
  const lack = isAsked ? lackOf('support', operator, asked) : null
  if (lack) return lack
  const now = Date.now()
  let accounts: AccountHealth[] = []
  let shops: FailingShop[] = []
  const parts = await Promise.all([
    ...partsOf(env),
    lookAt('accounts', async () => {
      accounts = await accountsHealth(env, null)
      return { message: null }
    }),
    lookAt('reports', async () => {
      const counted = { owedBefore: now - MINUTE, givenUpAfter: now - GIVEN_UP_FOR }
      shops = (await shopsOwed(env, null, counted)).map(representShop)
      return { message: null }
    }),
  ])
  if (isAsked) {
    const check = async () => {
      accounts = await accountsHealth(env, await checkAccounts(env, now))
      return { state: 'working', message: null } as const
    }
    parts.push(await lookAt('account checks', check, CHECKS_DEADLINE))
  }
  const state = worstOf(parts, accounts)
  return reply({ state, version: VERSION, parts, accounts, shops })
}

function worstOf(parts: readonly PartHealth[], accounts: readonly AccountHealth[]): HubHealth['state'] {
  const ill = parts.filter(({ state }) => state === 'failing' || state === 'slow')
  if (ill.some(({ part, state }) => state === 'failing' && NEEDED.has(part))) return 'failing'
  const isAccountIll = accounts.some(
    ({ mode, state }) => mode === 'live' && (state === 'refused' || state === 'unavailable'),
  )
  return ill.length > 0 || isAccountIll ? 'impaired' : 'working'
}
