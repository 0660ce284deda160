import { parseAmount } from '../../contract/money.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { FileFault } from './payouts.ts'

/**
 * A record of a CSV file: its cells by the names of the head, without white space around them, and the
 * line on which it begins. Names match in any case, with spaces, underscores or neither. `wrong` refuses
 * the record because of a column.
 */
export type CsvRecord = {
  line: number
  cell: (column: string) => string
  wrong: (column: string, why: string) => Result<never, FileFault>
}

/**
 * Reads the table of a CSV file (RFC 4180) record by record, so that a large file is never held in
 * pieces. The first line shows whether it has commas or semicolons. The head is the first row with the
 * first of the `needed` columns; `above` gets the names and values in the rows above it. Refuses a file
 * without such a head or without a record; a blank row is not a record. Yields a fault last.
 */
export function* readCsv(
  text: string,
  needed: readonly string[] = [],
  above = new Map<string, string>(),
): Generator<Result<CsvRecord, FileFault>> {
  const [sign] = needed
  let head: Head | null = null
  let records = 0
  for (const row of readRows(text)) {
    if (!row.ok) return yield row
    const { line, fields } = row.value
    const isBlank = sign !== undefined && fields.every((field) => field.trim() === '')
    if (isBlank) continue
    if (head !== null) {
      records += 1
      yield recordOf(head, row.value)
    } else if (sign === undefined || fields.some((name) => nameOf(name) === nameOf(sign))) {
      const names = fields.slice(0, fields.findLastIndex((name) => name.trim() !== '') + 1)
      head = { line, names, places: new Map(names.map((name, at) => [nameOf(name), at])) }
      const unclear = needed.find(
        (column) => names.filter((name) => nameOf(name) === nameOf(column)).length !== 1,
      )
      if (unclear !== undefined)
        return yield refuse({ line, column: unclear, why: 'must be one column of the head' })
    } else above.set(nameOf(fields[0] ?? ''), fields[1]?.trim() ?? '')
  }
  if (head === null)
    return yield refuse({
      line: 1,
      column: sign ?? '',
      why: 'no column has this name, so this is not the report',
    })
  if (records === 0) yield refuse({ line: head.line, column: '', why: 'no record follows the head' })
}

type Head = { line: number; names: readonly string[]; places: Map<string, number> }

function nameOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]/g, '')
}

/**
 * Returns a row by the names of the head. Refuses a row with more or fewer fields, except for empty ones
 * at its end, which spreadsheets add to make all rows equally long.
 */
function recordOf({ names, places }: Head, { line, fields }: CsvRow): Result<CsvRecord, FileFault> {
  const wrong = (column: string, why: string) => refuse({ line, column, why })
  const isFit = fields.length >= names.length && fields.slice(names.length).every((field) => field === '')
  if (!isFit)
    return wrong(names[fields.length] ?? '', `has ${fields.length} fields, but the head has ${names.length}`)
  const cell = (column: string) => {
    const place = places.get(column) ?? places.get(nameOf(column)) ?? -1
    // A report has thousands of records, so the next look-up takes the name as it is.
    places.set(column, place)
    return fields[place]?.trim() ?? ''
  }
  return ok({ line, cell, wrong })
}

/** A row of a CSV file, and the line on which it begins. */
type CsvRow = { line: number; fields: string[] }

/** Returns the text between a quotation mark and the one that closes it; null if none does. */
function quotedFrom(text: string, from: number): string | null {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return text.slice(from + 1, at)
  return null
}

function* readRows(sent: string): Generator<Result<CsvRow, FileFault>> {
  const text = sent.replace(/^\uFEFF/, '')
  if (text.slice(0, 1000).includes('\0'))
    return yield refuse({ line: 1, column: '', why: 'the file is in UTF-16: save it as UTF-8' })
  const [first = ''] = /\S.*/.exec(text) ?? []
  const comma = first.split(';').length > first.split(',').length ? ';' : ','
  const plain = comma === ';' ? /[^;\n]*/y : /[^,\n]*/y
  for (let at = 0, line = 1; at < text.length;) {
    const row: CsvRow = { line, fields: [] }
    for (let isOpen = true; isOpen; at += 1) {
      const isQuoted = text[at] === '"'
      const inside = isQuoted ? quotedFrom(text, at) : ''
      if (inside === null)
        return yield refuse({ line: row.line, column: '', why: 'a quotation mark is never closed' })
      line += inside.split('\n').length - 1
      at += isQuoted ? inside.length + 2 : 0
      plain.lastIndex = at
      const rest = plain.exec(text)?.[0] ?? ''
      at += rest.length
      isOpen = text[at] === comma
      row.fields.push(inside.replaceAll('""', '"') + (isOpen ? rest : rest.replace(/\r$/, '')))
    }
    line += 1
    if (row.fields.length > 1 || row.fields[0]?.trim() !== '') yield ok(row)
  }
}

/**
 * Reads an amount in minor units, which may be below zero; an empty text is 0. Null for a text that is
 * not an amount of the currency. `decimals`: those of the report, if they are not the currency's.
 */
export function readSigned(text: string, currency: string, decimals?: number): number | null {
  if (text === '') return 0
  const isBelow = text.startsWith('-')
  const amount = parseAmount(isBelow ? text.slice(1) : text, currency, decimals)
  return amount.ok ? (isBelow ? -amount.value : amount.value) : null
}
