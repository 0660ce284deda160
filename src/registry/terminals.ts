import { and, asc, eq, inArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { type Account, type AssignedTerminal, type Profile, SANDBOX_ACCOUNT } from './profile.ts'
import { pointsOfSale, posTerminals, pspAccounts, terminals } from './schema.ts'

/** The simulated terminals of every point of sale in test mode. */
export const SANDBOX_TERMINALS: readonly AssignedTerminal[] = [
  { id: 'sandbox-1', name: 'Counter 1', account: SANDBOX_ACCOUNT.id, isDefault: true },
  { id: 'sandbox-2', name: 'Counter 2', account: SANDBOX_ACCOUNT.id },
  { id: 'sandbox-3', name: 'Terrace', account: SANDBOX_ACCOUNT.id },
]

/** The name in an order for the terminal that its point of sale uses by default. */
const DEFAULT_TERMINAL = 'default'

export function terminalsOf({ mode, terminals: assigned = [] }: Profile): readonly AssignedTerminal[] {
  return mode === 'test' ? SANDBOX_TERMINALS : assigned
}

/** Finds the terminal that an order names, by its id or as the default. */
export function findTerminal(profile: Profile, named: string): AssignedTerminal | undefined {
  const all = terminalsOf(profile)
  return named === DEFAULT_TERMINAL ? all.find((one) => one.isDefault) : all.find(({ id }) => id === named)
}

/** Returns the account that drives a terminal; undefined if the profile lacks it. */
export function accountOfTerminal(profile: Profile, { account }: AssignedTerminal): Account | undefined {
  return profile.mode === 'test' ? SANDBOX_ACCOUNT : profile.accounts.find(({ id }) => id === account)
}

type TerminalRow = typeof terminals.$inferSelect
/** A terminal that an operator added, and the points of sale that may use it. */
export type AddedTerminal = TerminalRow & { pointsOfSale: { id: string; name: string }[] }

/** Reads the terminals that operators added, sorted by name: all, those of an account, or one. */
export async function addedTerminals(
  database: D1Database,
  { account, id }: { account?: string; id?: string } = {},
): Promise<AddedTerminal[]> {
  const isWanted = [
    account === undefined ? undefined : eq(terminals.account, account),
    id === undefined ? undefined : eq(terminals.id, id),
  ]
  const rows = await drizzle(database)
    .select({ terminal: terminals, pos: { id: pointsOfSale.id, name: pointsOfSale.name } })
    .from(terminals)
    .leftJoin(posTerminals, eq(posTerminals.terminal, terminals.id))
    .leftJoin(pointsOfSale, eq(pointsOfSale.id, posTerminals.pos))
    .where(and(...isWanted))
    .orderBy(asc(terminals.name), asc(terminals.id), asc(pointsOfSale.name))
  const added = new Map<string, AddedTerminal>()
  for (const { terminal, pos } of rows) {
    const { pointsOfSale: before } = added.get(terminal.id) ?? { pointsOfSale: [] }
    added.set(terminal.id, { ...terminal, pointsOfSale: [...before, ...(pos ? [pos] : [])] })
  }
  return [...added.values()]
}

/** Adds a terminal, or changes its name and hours. Its account stays. */
export async function addTerminal(database: D1Database, terminal: TerminalRow): Promise<void> {
  const { name, alertHours } = terminal
  await drizzle(database)
    .insert(terminals)
    .values(terminal)
    .onConflictDoUpdate({ target: terminals.id, set: { name, alertHours } })
}

/** Removes a terminal that no point of sale may use. */
export async function removeTerminal(database: D1Database, id: string): Promise<void> {
  await drizzle(database).delete(terminals).where(eq(terminals.id, id))
}

/** Lets a point of sale use a terminal. A new default replaces the previous one. */
export async function assignTerminal(
  database: D1Database,
  use: typeof posTerminals.$inferInsert,
): Promise<void> {
  const db = drizzle(database)
  const { pos, isDefault } = use
  await db.batch([
    db
      .update(posTerminals)
      .set({ isDefault: false })
      .where(and(eq(posTerminals.pos, pos), isDefault ? undefined : eq(posTerminals.terminal, use.terminal))),
    db
      .insert(posTerminals)
      .values(use)
      .onConflictDoUpdate({ target: [posTerminals.pos, posTerminals.terminal], set: { isDefault } }),
  ])
}

/** Takes a terminal away from a point of sale, at `now` (ms): copies may have it for a while longer. */
export async function unassignTerminal(
  database: D1Database,
  { pos, terminal }: { pos: string; terminal: string },
  now: number,
): Promise<void> {
  const db = drizzle(database)
  const its = db.select({ id: terminals.account }).from(terminals).where(eq(terminals.id, terminal))
  await db.batch([
    db.update(pspAccounts).set({ unroutedAt: now }).where(inArray(pspAccounts.id, its)),
    db.delete(posTerminals).where(and(eq(posTerminals.pos, pos), eq(posTerminals.terminal, terminal))),
  ])
}
