import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'

/** `newer`: a later release wrote it. `detail` is logged, so it never contains the value. */
export type Unreadable = { is: 'newer' | 'broken'; detail: string }

type Upgrade = (older: Readonly<Record<string, unknown>>) => Record<string, unknown>

/** A kind of value that outlives a process. docs/storage.md lists all. */
export type StoredShape<Value> = {
  version: number
  read: (stored: unknown) => Result<Value, Unreadable>
  write: (value: Value) => Value & { version: number }
}

/**
 * Makes a stored shape. `upgrades` turn version 1 into 2, 2 into 3 and so on, so the present
 * version is one more than their number. A value without a version is of version 1.
 *
 * A new field gets a default in the schema (`v.optional(…, default)`) and needs no new version: the
 * previous release ignores the field. The version rises only if the previous release could not read
 * the value any more, and CHANGELOG then says that there is no way back.
 */
export function storedShape<const Schema extends v.GenericSchema<unknown, object>>(
  schema: Schema,
  upgrades: readonly Upgrade[] = [],
): StoredShape<v.InferOutput<Schema>> {
  const version = upgrades.length + 1
  return {
    version,
    read(stored) {
      if (!isRecord(stored)) return refuse({ is: 'broken', detail: 'is not an object' })
      const { version: from = 1 } = stored
      if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {
        return refuse({ is: 'broken', detail: 'has no readable version' })
      }
      if (from > version) {
        return refuse({ is: 'newer', detail: `is of version ${from}; this release reads up to ${version}` })
      }
      const upgraded = upgradedFrom(from, stored, upgrades)
      if (upgraded === null)
        return refuse({ is: 'broken', detail: `cannot be upgraded from version ${from}` })
      const parsed = v.safeParse(schema, upgraded)
      if (!parsed.success) return refuse({ is: 'broken', detail: whereWrong(parsed.issues) })
      // Keeps members of a later release, so that saving the value does not lose them.
      const { version: _, ...members } = upgraded
      return ok({ ...members, ...parsed.output })
    },
    write: (value) => ({ ...value, version }),
  }
}

/** Returns the value after the upgrades that its version lacks; null if one of them fails. */
function upgradedFrom(
  version: number,
  stored: Record<string, unknown>,
  upgrades: readonly Upgrade[],
): Record<string, unknown> | null {
  try {
    return upgrades.slice(version - 1).reduce((older, upgrade) => upgrade(older), stored)
  } catch {
    return null
  }
}

const MARK = 'unreadable:'

/** A stored value that this release cannot read. Only its message, with MARK, reaches other isolates. */
export class UnreadableError extends Error {
  constructor(what: string, { detail }: Unreadable) {
    super(`${MARK} ${what} ${detail}`)
  }
}

export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MARK)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function whereWrong(issues: readonly v.BaseIssue<unknown>[]): string {
  return `is not of its form: ${issues.map((issue) => v.getDotPath(issue) ?? 'as a whole').join(', ')}`
}
