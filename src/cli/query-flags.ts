import * as v from 'valibot'
import type { Operation } from '../contract/operation.ts'
import { type Name, OPERATOR_OPERATIONS, type OperatorOperations } from '../contract/operator-operations.ts'
import { readSearchedAmount } from '../contract/typed-amount.ts'
import { describedSchema } from '../contract/body-members.ts'
import type { Arg } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { searchedAccount, searchedMethod } from './named.ts'
import { instantOf, rangeOf } from './times.ts'

/** The members of an operation's query. */
export type QueryName<Of extends Name> = OperatorOperations[Of] extends {
  query: { entries: infer Entries }
}
  ? keyof Entries & string
  : never

type Given = Readonly<Record<string, unknown>>
export type Query = Readonly<Record<string, string | undefined>>

/** Flags that are shorter than the names of their members. */
const SHORT: Readonly<Record<string, string>> = { order_number: 'order' }

const SEPARATORS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon' }

/** Readers that refuse a word with which a search would find nothing. */
const READS: Readonly<Record<string, NonNullable<Arg['read']>>> = {
  account: searchedAccount,
  method: searchedMethod,
  status: (text) => text.toUpperCase(),
  separator: (text) => SEPARATORS[text] ?? text,
  amount: searchedAmount,
  amount_from: searchedAmount,
  amount_to: searchedAmount,
}

function searchedAmount(typed: string, name: string): string {
  const read = readSearchedAmount(typed)
  if (!read.ok) throw new UsageError(`${name} ${read.error}`)
  return read.value
}

type FlagOf<Member extends string> = Member extends 'order_number'
  ? 'order'
  : Member extends `${infer Word}_${infer Rest}`
    ? `${Word}-${FlagOf<Rest>}`
    : Member

/** Makes flags for members of an operation's query, by the contract's descriptions. */
export function queryFlags<Of extends Name, const Member extends QueryName<Of>>(
  operation: Of,
  members: readonly Member[],
) {
  const { query }: Operation = OPERATOR_OPERATIONS[operation]
  const flags = members.map((name: string) => [flagOf(name), argOf(name, query?.entries[name])])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they have the names of these members
  return Object.fromEntries(flags) as { readonly [One in Member as FlagOf<One>]: Arg }
}

/** Returns all members of an operation's query except some. */
export function membersBut<Of extends Name>(operation: Of, without: readonly QueryName<Of>[]) {
  const { query }: Operation = OPERATOR_OPERATIONS[operation]
  const isWanted = (name: string): name is QueryName<Of> => !without.some((one) => one === name)
  return Object.keys(query?.entries ?? {}).filter(isWanted)
}

export function flagOf(name: string): string {
  return SHORT[name] ?? name.replaceAll('_', '-')
}

function argOf(name: string, schema: v.GenericSchema = v.string()): Arg {
  const { options, ...text } = textFlag(name, schema)
  if (options?.join() === '1') return { type: 'boolean', description: text.description }
  const read = READS[name]
  return { ...text, ...(read ? { type: 'string', read } : options ? { options } : {}) }
}

/** Makes a flag of a member by its schema, with its values, or with an example of one. */
export function textFlag(name: string, schema: v.GenericSchema): Arg {
  const said = describedSchema(schema)
  const description = inHelp(v.getDescription(said) ?? '')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a picklist has options
  const options = 'options' in said ? (said.options as readonly string[]) : null
  return options
    ? { type: 'enum', description, valueHint: options.join('|'), options }
    : { type: 'string', description, valueHint: hintOf(name, said) }
}

function hintOf(name: string, schema: v.GenericSchema): string {
  if (v.getMetadata(schema)['format'] === 'date-time') return 'TIME'
  const [example = name.split(/[_-]/).at(-1)?.toUpperCase()]: readonly unknown[] = v.getExamples(schema)
  return String(example)
}

/** Turns a sentence of the contract into a command's help, which has no Markdown. */
export function inHelp(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '').replaceAll('`', '')
}

/** Makes the query of an operation from the given flags. */
export function queryOf(operation: Name, given: Given, utc: boolean): Query {
  const { query }: Operation = OPERATOR_OPERATIONS[operation]
  const typed = Object.keys(query?.entries ?? {}).map((name) => {
    const value = given[flagOf(name)]
    return [name, value === true ? '1' : typeof value === 'string' ? value : undefined] as const
  })
  const asked: Query = Object.fromEntries(typed)
  const at = asked['at']
  return {
    ...asked,
    ...rangeOf(asked, utc),
    ...(at === undefined ? {} : { at: instantOf(at, 'from', { now: new Date(), utc }) }),
  }
}
