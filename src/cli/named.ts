import { parseJobId } from '../contract/ids.ts'
import { type Arg, type Args, word } from '../programs/program.ts'
import { UsageError, notAmong, oneNamed, quoted } from '../programs/usage-error.ts'
import { ask } from './operator-api.ts'

export const JOB = {
  ...word('the payment job: its id, or its order number if no other job has it'),
  example: 'A-1001',
  find: jobIdOf,
}
export const POS = { ...word('the point of sale: its id or name'), example: '"Shop 1"', find: posIdOf }
export const ACCOUNT = { ...word('the account'), example: 'shop-mollie' }
export const TERMINAL = {
  ...word("the terminal: the PSP's own id of it"),
  example: 'term_7MgL4wea46qkRcoTZjWEH',
}
const MONTH = { ...word('the month, such as 2026-01'), example: '2026-01' }
const SESSION = { ...word('its id, as session list shows it'), example: '0193f3c27a518c5e9b1d2f6a8e4d7c10' }
const TOKEN = { ...word('its id or its name'), find: tokenIdOf }

/** The words for parameters of paths, by the part of the path before each. */
const WORDS = new Map<string | undefined, Arg>(
  Object.entries({
    jobs: JOB,
    pos: POS,
    accounts: ACCOUNT,
    terminals: TERMINAL,
    months: MONTH,
    tokens: TOKEN,
    sessions: SESSION,
  }),
)

/** Returns the words that a command needs for the parameters of a path. */
export function wordsOf(path: string): Args {
  const params = Array.from(path.matchAll(/(\w+)\/:(\w+)/g), ([, before, name = '']) => {
    const arg = WORDS.get(before)
    if (!arg) throw new Error(`There are no words for ${path}`)
    return [name, arg] as const
  })
  return Object.fromEntries(params)
}

/**
 * Returns the id of the payment job that an operator names. Throws a UsageError if an order
 * number names none, or several.
 */
export async function jobIdOf(named: string): Promise<string> {
  const id = parseJobId(named)
  if (id !== null) return id
  const { jobs } = await ask('searchJobs', { query: { order_number: named, limit: '2' } })
  const [job, other] = jobs
  if (!job) {
    throw new UsageError(`There is no payment job of order ${named}. The index may be some seconds behind.`)
  }
  if (other) throw new UsageError(`Several payment jobs are of order ${named}: see job list --order ${named}`)
  return job.id
}

/**
 * Returns the id of a point of sale that an operator names by its id, or by its name in capitals or
 * small letters. Throws a UsageError if the text names none, or several.
 */
export async function posIdOf(named: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(named)) return named
  const { pointsOfSale } = await ask('listPointsOfSale')
  const exact = pointsOfSale.filter(({ id, name }) => id === named || name === named)
  const wanted = named.trim().toLowerCase()
  const like = pointsOfSale.filter(({ name }) => name.toLowerCase() === wanted)
  const [found, ...others] = exact.length > 0 ? exact : like
  if (!found) return oneNamed('point of sale', named, pointsOfSale, ({ name }) => name).id
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new UsageError(`Several points of sale are named ${quoted(named)}. Say which by its id: ${ids}`)
}

/**
 * Returns the id of a token that an operator names by its id, or by its name. A name means
 * a token that is still valid: a revoked one may have had the same name.
 */
async function tokenIdOf(named: string): Promise<string> {
  const { tokens } = await ask('listOperatorTokens')
  const living = tokens.filter(({ revoked }) => revoked === null)
  const found = tokens.find(({ id }) => id === named)
  return (found ?? oneNamed('operator token', named, living, ({ name }) => name)).id
}

/** Returns an existing account. Throws a UsageError for any other. */
export async function accountNamed(id: string) {
  const { accounts } = await ask('listAccounts')
  return oneNamed('account', id, accounts, (account) => account.id)
}

/**
 * Returns an account to search by. Throws a UsageError for one that never existed, because the
 * search would find nothing. A removed account still has jobs.
 */
export async function searchedAccount(id: string): Promise<string> {
  if (id === 'sandbox') return id
  const { accounts } = await ask('listAccounts')
  if (accounts.some((account) => account.id === id)) return id
  const { jobs, next } = await ask('searchJobs', { query: { account: id, limit: '1' } })
  return jobs.length > 0 || next !== null ? id : (await accountNamed(id)).id
}

/**
 * Returns a payment method that orders can have. Throws a UsageError for any other, because the
 * search would find nothing.
 */
export async function searchedMethod(method: string): Promise<string> {
  // Imported late: `--help` does not need the tables of the PSPs.
  const { TEST_METHODS, isTestMethod } = await import('../psp/adapters.ts')
  // No page takes that method: only orders for a card terminal have it.
  if (method.toLowerCase() === 'terminal' || isTestMethod(method)) return method
  throw new UsageError(`There is no payment method ${quoted(method)}. ${notAmong(TEST_METHODS, method)}`)
}
