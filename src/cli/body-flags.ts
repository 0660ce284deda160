import * as v from 'valibot'
import type { Operation } from '../contract/operation.ts'
import { type Input, type Name, OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { describedSchema, listIn, membersOf } from '../contract/body-members.ts'
import type { Arg, Args } from '../programs/program.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { textFlag } from './query-flags.ts'

/** The members of an operation's body. */
export type BodyName<Of extends Name> = Input<Of> extends { body?: infer Body } ? keyof Body & string : never

/** How the flag of a member differs from what the contract says. */
export type Differing = Partial<Arg> & {
  /** Its name, if that is not the member's. */
  flag?: string
  /** Returns the member of a flag without a value. */
  send?: (isOn: boolean) => unknown
}
type Table = Readonly<Record<string, Differing | undefined>>

function flagOf(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Makes a flag for each member of an operation's body, by its schema. */
export function bodyFlags(operation: Name, table: Table): Args {
  const row: Operation = OPERATOR_OPERATIONS[operation]
  const flags = membersOf(row).map(([member, schema]) => {
    const { flag = flagOf(member), send: _, ...differing } = table[member] ?? {}
    return [flag, { ...argOf(member, schema), ...differing }]
  })
  return Object.fromEntries(flags)
}

/** Makes the body of an operation from the given flags; undefined if it has none. */
export function bodyOf(operation: Name, table: Table, given: Readonly<Record<string, unknown>>) {
  const row: Operation = OPERATOR_OPERATIONS[operation]
  const sent = membersOf(row).map(([member]) => {
    const { flag = flagOf(member), send } = table[member] ?? {}
    const value = given[flag]
    return [member, send ? send(value === true) : value]
  })
  return row.body && Object.fromEntries(sent)
}

function argOf(member: string, schema: v.GenericSchema): Arg {
  const said = describedSchema(schema)
  const arg = { ...textFlag(flagOf(member), schema), required: !schema.type.endsWith('optional') }
  switch (said.type) {
    case 'boolean':
      // A flag without a value turns on a member that is off by default. A change says `on` or `off`.
      return v.getDefault(schema) === false
        ? { type: 'boolean', description: arg.description }
        : { ...arg, type: 'enum', options: ['on', 'off'], valueHint: 'on|off', read: (text) => text === 'on' }
    case 'number':
      return { ...arg, read: numberBy(said) }
    case 'array':
      return { ...arg, read: listIn }
    default:
      return arg
  }
}

/** Makes a reader of numbers that a schema takes. */
function numberBy(schema: v.GenericSchema) {
  return (text: string, name: string): unknown => {
    const number = v.safeParse(schema, text.trim() === '' ? Number.NaN : Number(text))
    if (number.success) return number.output
    throw new UsageError(`${name} ${number.issues[0].message}, not ${quoted(text)}`)
  }
}
