import { parseAmount } from '../contract/money.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { FileFault } from './payouts.ts'

/** A record of a CSV file: its fields by the names of the head, and the line that it begins on. */
export type CsvRecord = { line: number; fields: ReadonlyMap<string, string> }

/**
 * Reads CSV (RFC 4180), with commas or semicolons as its first line has them. Its first row is the
 * head. Empty lines are left out. A record with more or fewer fields than the head is refused.
 */
export function readCsv(text: string): Result<CsvRecord[], FileFault> {
  const rows = readRows(text)
  return rows.ok ? recordsOf(rows.value) : rows
}

/** The records of rows whose first one is their head. */
export function recordsOf([head, ...others]: readonly CsvRow[]): Result<CsvRecord[], FileFault> {
  if (!head) return refuse({ line: 1, column: '', why: 'the file is empty' })
  const records: CsvRecord[] = []
  for (const { line, fields } of others) {
    if (fields.length === 1 && fields[0] === '') continue
    if (fields.length !== head.fields.length) {
      const why = `has ${fields.length} fields, and the head has ${head.fields.length}`
      return refuse({ line, column: head.fields[fields.length] ?? '', why })
    }
    const named = head.fields.map((name, at) => [name.trim(), fields[at] ?? ''] as const)
    records.push({ line, fields: new Map(named) })
  }
  return ok(records)
}

/** A row of a CSV file, and the line that it begins on. */
export type CsvRow = { line: number; fields: string[] }

export function readRows(sent: string): Result<CsvRow[], FileFault> {
  const text = sent.replace(/^\uFEFF/, '')
  const [first = ''] = text.split(/\r?\n/, 1)
  const comma = first.split(';').length > first.split(',').length ? ';' : ','
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, fields: [] }
  let field = ''
  let line = 1
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (text[at + 1] === '"') field += text[++at]
      else isQuoted = false
    } else if (sign === '"' && field === '') isQuoted = true
    else if (sign === comma) {
      row.fields.push(field)
      field = ''
    } else if (sign === '\n') {
      row.fields.push(field.replace(/\r$/, ''))
      rows.push(row)
      row = { line, fields: [] }
      field = ''
    } else field += sign
  }
  if (isQuoted) return refuse({ line: row.line, column: '', why: 'a quotation mark is not closed' })
  if (field !== '' || row.fields.length > 0) rows.push({ ...row, fields: [...row.fields, field] })
  return ok(rows)
}

/**
 * An amount in minor units, which may be below zero; an empty text is none. Null for a text that is
 * no amount of the currency.
 */
export function readSigned(text: string, currency: string): number | null {
  if (text === '') return 0
  const isBelow = text.startsWith('-')
  const amount = parseAmount(isBelow ? text.slice(1) : text, currency)
  return amount.ok ? (isBelow ? -amount.value : amount.value) : null
}
