import type { TakenAway } from '../audit/audit-log.ts'
import type { RegistryRow } from '../contract/backup.ts'
import { AGAIN, type Again, type Known, type Row } from './taken-away.ts'

/** The accounts and terminals that there are, by their ids. */
type There = Record<'psp_accounts' | 'terminals', ReadonlySet<unknown>>

/**
 * Returns rows of a backup as the changes of the audit log, the oldest first, left them, and names what they refer to
 * in vain, which is left out. `there` has what earlier rows brought. `credentials`: see `Known`.
 */
export function asLeft(
  given: readonly RegistryRow[],
  changes: readonly TakenAway[],
  credentials: Known['credentials'],
  there: There,
): { rows: RegistryRow[]; leftOut: string[] } {
  const known = { given, credentials, keyMade: new Map<string, number>() }
  const agains = new Map<string, Again | null>(Object.entries(AGAIN))
  let rows = [...given]
  for (const change of changes) rows = agains.get(change.action)?.(rows, change, known) ?? rows
  const leftOut = new Set<string>()
  const keep = (table: string, isRight: (row: Row) => boolean, nameOf: (row: Row) => string) => {
    const lost = new Set(rows.filter((one) => one.table === table && !isRight(one.row)))
    for (const { row } of lost) leftOut.add(nameOf(row))
    rows = rows.filter((one) => !lost.has(one))
  }
  const has = (table: keyof There, id: unknown) =>
    there[table].has(id) || rows.some((one) => one.table === table && one.row['id'] === id)
  for (const { table, row } of rows)
    if (table === 'psp_accounts' && row['sealed'] === '')
      leftOut.add(`credentials of account ${row['id']}, which were replaced: psp rekey`)
  const unrouted = new Set(
    rows.flatMap(({ table, row }) =>
      table === 'routes' && !has('psp_accounts', row['account']) ? [row['pos']] : [],
    ),
  )
  keep(
    'routes',
    ({ pos }) => !unrouted.has(pos ?? null),
    ({ pos }) => `routes of ${pos}: they lead to an account that is not there`,
  )
  keep(
    'terminals',
    ({ account }) => has('psp_accounts', account),
    ({ id, account }) => `terminal ${id} of ${account}, an account that is not there`,
  )
  keep(
    'pos_terminals',
    ({ terminal }) => has('terminals', terminal),
    ({ pos, terminal }) => `terminal ${terminal} for ${pos}: it is not there`,
  )
  return { rows, leftOut: [...leftOut] }
}
