import { styleText } from 'node:util'
import { plainAmount } from '../contract/money.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { INSTANTS } from '../contract/why.ts'
import { type Mode, liveFirst } from '../contract/values.ts'
import { namedLines, table } from './table.ts'

/** Lines to print. Values that are not texts are left out. */
export type Lines = string | false | null | undefined | readonly Lines[]

/** The forms in which answers appear at the operator's terminal. */
export type View = {
  /** Writes a time in the operator's zone or in UTC; an empty text for none. */
  time: (iso: string | null | undefined) => string
  /** Rewrites all times (ISO 8601 in UTC, to the second) in a text. */
  times: (text: string) => string
  /** Makes a table that fits the terminal. */
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string
  /** Makes a table of rows, or a sentence for none. Writes times as `time` does. */
  list: <Row>(none: string, rows: readonly Row[], columns: readonly Column<Row>[]) => string
  /** Writes a name and its value on each line. Leaves out names without a value. */
  pairs: (pairs: readonly Pair[]) => string
  /** Shows any answer: each member by its name, and each list as a table. */
  answer: (answer: unknown) => string
}

/** A name, and what it is; nothing for a value that is missing. */
export type Pair = readonly [name: string, value: unknown]

type Member<Row> = keyof Row & string
/** A member of the rows, under its name or another title; or a value made from a row. */
type Column<Row> = Member<Row> | readonly [title: string, cell: Member<Row> | ((row: Row) => unknown)]

type Colour = 'green' | 'yellow' | 'red' | 'dim'
const COLOURS: readonly (readonly [colour: Colour, words: readonly string[]])[] = [
  ['green', ['SUCCESS', 'delivered', 'working', 'done', 'well']],
  ['yellow', ['PENDING', 'due', 'slow', 'impaired', 'unavailable', 'unknown', 'begun']],
  ['red', ['FAILURE', 'given up', 'failing', 'refused', 'failed', 'silent']],
  ['dim', ['CANCELLED', 'EXPIRED']],
]

/** The words for members that are null. The view leaves out other members that are null. */
const NULLS: Readonly<Record<string, string>> = {
  currencies: 'any',
  ended: 'not yet',
  expires: 'never',
  givenUp: 'not yet',
  told: 'not yet',
  used: 'never',
  wrong: 'none',
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export function textOf(lines: Lines): string {
  return linesIn(lines).join('\n')
}

function linesIn(lines: Lines): string[] {
  if (typeof lines === 'string') return [lines]
  return lines ? lines.flatMap(linesIn) : []
}

/** Returns the view of standard output. Only a terminal has colours and a width. */
export function viewOf(stream: NodeJS.WriteStream, utc: boolean): View {
  const paint = (text: string): string => {
    const [colour] = COLOURS.find(([, words]) => words.includes(text.trim())) ?? []
    return colour ? styleText(colour, text, { stream }) : text
  }
  const fitted: View['table'] = (head, rows) =>
    table(head, rows, { ...(stream.isTTY ? { width: stream.columns } : {}), paint })
  const time: View['time'] = (iso) => (iso ? timeText(new Date(iso), utc) : '')
  const cellOf = (value: unknown): string => {
    if (typeof value === 'number') return String(value)
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(cellOf).join(', ')
    if (isObject(value)) return Object.values(value).map(cellOf).join(' ')
    if (typeof value !== 'string') return ''
    return TIME.test(value) ? time(value) : value.replaceAll(INSTANTS, time)
  }
  const memberOf = (name: string, value: unknown): string => cellOf(value ?? NULLS[name])
  const pairs: View['pairs'] = (all) => {
    const shown = all.map(([name, value]) => [name, cellOf(value)] as const)
    return namedLines(
      shown.filter(([, value]) => value !== ''),
      paint,
    )
  }
  const tableOf = (rows: readonly object[]): string => {
    const members = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    const sorted = rows.every(hasMode) ? rows.toSorted(liveFirst) : rows
    const cells = sorted.map((row) => {
      const values = new Map<string, unknown>(Object.entries(row))
      return members.map((name) => memberOf(name, values.get(name)))
    })
    return fitted(members.map(wordsOf), cells)
  }
  const answer: View['answer'] = (shown) => {
    if (isRows(shown)) return shown.length === 0 ? 'There are none.' : tableOf(shown)
    const members = isObject(shown) ? membersIn(shown) : []
    const [[name, list] = ['', null], ...others] = members
    if (others.length === 0 && isRows(list))
      return list.length === 0 ? `There are no ${wordsOf(name)}.` : tableOf(list)
    const tables = members.filter(isTable)
    const texts = members.filter((member) => !isTable(member))
    return [
      ...(texts.length > 0 ? [pairs(texts.map((text) => [wordsOf(text[0]), memberOf(...text)]))] : []),
      ...tables.map(([title, rows]) => `${wordsOf(title)}:\n${tableOf(rows)}`),
    ].join('\n\n')
  }
  return {
    time,
    times: (text) => text.replaceAll(INSTANTS, time),
    table: fitted,
    list: (none, rows, columns) => {
      if (rows.length === 0) return none
      const titled = columns.map((column) =>
        typeof column === 'string' ? ([wordsOf(column), column] as const) : column,
      )
      return fitted(
        titled.map(([title]) => title),
        rows.map((row) => titled.map(([, cell]) => cellOf(typeof cell === 'string' ? row[cell] : cell(row)))),
      )
    },
    pairs,
    answer,
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isRows(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every(isObject)
}

function isTable(member: Pair): member is readonly [name: string, rows: readonly object[]] {
  return isRows(member[1]) && member[1].length > 0
}

function hasMode(row: object): row is { mode: Mode } {
  return 'mode' in row
}

/** The members of an answer. Those of an object inside it have its name before theirs. */
function membersIn(answer: object): Pair[] {
  return Object.entries(answer).flatMap(([name, value]: Pair) =>
    isObject(value) && !Array.isArray(value)
      ? membersIn(value).map(([inner, one]): Pair => [`${name} ${inner}`, one])
      : [[name, value]],
  )
}

/** Turns `orderNumber` into words, `isOn` into `on`, and `apiKey` into `API key`. */
function wordsOf(name: string): string {
  return name
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trimStart()
    .replace(/^(api|psp)\b/, (word) => word.toUpperCase())
}

/** The Swedish locale writes times as ISO 8601 does. */
function timeText(at: Date, utc: boolean): string {
  return utc ? `${at.toLocaleString('sv', { timeZone: 'UTC' })}Z` : at.toLocaleString('sv')
}

/**
 * Control characters, separators of lines, characters that change the direction of text, and invisible ones.
 * With them a shop's text could attack the terminal, or look like another. Some emoji need them.
 */
const HOSTILE =
  /(?<!\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)(?:\u200d|\ufe0f)|(?!\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Writes JSON that is safe at a terminal: hostile characters are escaped, which every parser undoes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HOSTILE, (characters) =>
    Array.from({ length: characters.length }, (_, at) => escaped(characters.charCodeAt(at))).join(''),
  )
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** The members of answers that are amounts, in the currency of their object or of one around it. */
function isAmount(member: string): boolean {
  return (
    AMOUNTS.includes(member) ||
    figuresWith('api').some((name) => member === name || member === FIGURES[name].api)
  )
}
const AMOUNTS = 'amount capturable difference explained fee fees gross net refundable'.split(' ')

/** Returns an answer for people: hostile characters become a mark, and yen have no decimals. */
export function printable<Answer>(answer: Answer): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts differ
  return shownIn(JSON.parse(JSON.stringify(answer)), '') as Answer
}

function shownIn(value: unknown, currency: string, name = ''): unknown {
  if (typeof value === 'string') return printableText(isAmount(name) ? plainAmount(value, currency) : value)
  if (Array.isArray(value)) return value.map((one) => shownIn(one, currency, name))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries<unknown>({ ...value })
  const own = members.find(([member]) => member === 'currency')?.[1]
  const shown = members.map(([member, one]) => [
    member,
    shownIn(one, typeof own === 'string' ? own : currency, member),
  ])
  return Object.fromEntries(shown)
}

export function printableText(text: string): string {
  return text.replaceAll(HOSTILE, '\uFFFD')
}

/** Ends of lines, tabs, the start of a CSV file or of a line that is drawn again, and the colours of a view. */
const LAYOUT = String.raw`^[\r\ufeff]|\r?\n|\t`
const PLAIN = new RegExp(`(${LAYOUT})`)
const COLOURED = new RegExp(String.raw`(${LAYOUT}|\u001b\[(?:2|22|3[1239])m)`)

/** Returns what a program may print: hostile characters become a mark, except those that lay the text out. */
export function printableOutput(text: string, hasColours: boolean): string {
  const parts = text.split(hasColours ? COLOURED : PLAIN)
  return parts.map((part, at) => (at % 2 === 1 ? part : printableText(part))).join('')
}
