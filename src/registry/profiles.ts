import { type SQL, and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { ACCOUNT } from './accounts.ts'
import { signsReturn } from './points-of-sale.ts'
import {
  type Account,
  type AssignedTerminal,
  type Caller,
  type Profile,
  generationOf,
  hasExpired,
} from './profile.ts'
import { apiKeys, pointsOfSale, posTerminals, pspAccounts, routes, terminals } from './schema.ts'

/** Reads the enabled point of sale of an API key that is live at `now` (ms); null for any other key. */
export async function callerByKey(
  database: D1Database,
  keyHash: string,
  now: number,
): Promise<Caller | null> {
  const pos = sql`(select pos from ${apiKeys} where hash = ${keyHash} and revoked_at is null)`
  const found = await profileById(database, pos)
  const key = found?.keys.find(({ hash }) => hash === keyHash)
  if (!key || found?.disabledAt !== null || hasExpired(key, now)) return null
  const { expiresAt, can } = key
  return { ...found.profile, ...(expiresAt === null ? {} : { until: expiresAt }), ...(can ? { can } : {}) }
}

/** `keys`: those that were not revoked, whether they have expired or not. */
type StoredProfile = {
  profile: Profile
  disabledAt: number | null
  pos: typeof pointsOfSale.$inferSelect
  keys: (typeof apiKeys.$inferSelect)[]
}

const D1_NOW = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/**
 * Reads the profile of a point of sale, disabled or not: the hub still finishes its jobs. Reads all in one
 * transaction, because only states as of one instant can be compared.
 */
export async function profileById(database: D1Database, id: string | SQL): Promise<StoredProfile | null> {
  const db = drizzle(database)
  const [[pos], keys, routed, assigned] = await db.batch([
    db
      .select({ ...getTableColumns(pointsOfSale), asOf: D1_NOW })
      .from(pointsOfSale)
      .where(eq(pointsOfSale.id, id)),
    db
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.pos, id), isNull(apiKeys.revokedAt)))
      .orderBy(asc(apiKeys.hash)),
    db
      .select({ paymentMethod: routes.paymentMethod, account: ACCOUNT })
      .from(routes)
      .innerJoin(pspAccounts, eq(routes.account, pspAccounts.id))
      .where(eq(routes.pos, id))
      .orderBy(asc(routes.paymentMethod), asc(routes.position)),
    db
      .select({
        // Not `terminals.id`: in a batch, D1 has one value for each name of a column.
        id: posTerminals.terminal,
        name: terminals.name,
        isDefault: posTerminals.isDefault,
        account: ACCOUNT,
      })
      .from(posTerminals)
      .innerJoin(terminals, eq(posTerminals.terminal, terminals.id))
      .innerJoin(pspAccounts, eq(terminals.account, pspAccounts.id))
      .where(eq(posTerminals.pos, id))
      .orderBy(asc(terminals.name), asc(terminals.id)),
  ])
  if (!pos) return null
  const { asOf, disabledAt } = pos
  const tokensSince = pos.tokensSince ?? 0
  const live = disabledAt === null ? keys : []
  const accounts = new Map([...routed, ...assigned].map(({ account }) => [account.id, account]))
  return {
    disabledAt,
    pos,
    keys,
    profile: {
      pos: pos.id,
      name: pos.name,
      mode: pos.mode,
      signReturn: signsReturn(pos),
      ...(pos.dialect === 'v2' ? {} : { dialect: pos.dialect }),
      signingVersion: pos.signingVersion,
      ...(pos.refundLimits ? { refundLimits: pos.refundLimits } : {}),
      routes: routed.map(({ paymentMethod, account }) => ({ paymentMethod, account: account.id })),
      accounts: [...accounts.values()],
      ...(assigned.length === 0 ? {} : { terminals: assigned.map(assignedTerminal) }),
      ...(pos.formerSecretUntil === null ? {} : { formerSecretUntil: pos.formerSecretUntil }),
      access: { asOf, tokensSince, generations: live.map(({ hash }) => generationOf(hash, tokensSince)) },
    },
  }
}

type Assigned = { id: string; name: string; isDefault: boolean; account: Account }

function assignedTerminal({ id, name, isDefault, account }: Assigned): AssignedTerminal {
  return { id, name, account: account.id, ...(isDefault ? { isDefault } : {}) }
}
