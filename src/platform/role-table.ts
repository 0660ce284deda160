import { Role } from '../contract/operation.ts'
import { type Result, ok, refuse } from '../contract/result.ts'

/**
 * The roles that groups, people and service tokens of Cloudflare Access have, by name. `*` is
 * everybody whom Access lets in.
 */
export type RoleTable = ReadonlyMap<string, Role>

/**
 * An entry ends with its role, so a name may have spaces in it: `Payment Admins=operator *=viewer`.
 */
const ENTRY = `\\s*(\\S[^=]*)=(${Role.options.join('|')})(?:\\s+|$)`

/**
 * Reads `ACCESS_ROLES`, or says what is wrong with it: nobody should find out by chance that they
 * have lost their role.
 */
export function readRoleTable(text: string): Result<RoleTable, string> {
  const roles = new Map<string, Role>()
  const entry = new RegExp(ENTRY, 'y')
  const end = text.trimEnd().length
  for (let place = 0; place < end; place = entry.lastIndex) {
    const [, name = '', written] = entry.exec(text) ?? []
    const role = Role.options.find((option) => option === written)
    if (!role) return refuse(`ACCESS_ROLES cannot be read from ${JSON.stringify(text.slice(place, end))} on.`)
    if (roles.has(name)) return refuse(`ACCESS_ROLES has ${JSON.stringify(name)} twice.`)
    roles.set(name, role)
  }
  return ok(roles)
}

/** The highest role of somebody who goes by these names, or null where none of them has one. */
export function roleOf(roles: RoleTable, names: readonly string[]): Role | null {
  const theirs = new Set([...names, '*'].map((name) => roles.get(name)))
  return Role.options.findLast((role) => theirs.has(role)) ?? null
}
