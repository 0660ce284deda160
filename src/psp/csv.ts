import { parseAmount } from '../contract/money.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { FileFault } from './payouts.ts'

/** A record of a CSV file: its cells by the names of the head, and the line that it begins on. */
export type CsvRecord = { line: number; cell: (column: string) => string }

/**
 * Reads CSV (RFC 4180), with commas or semicolons as its first line has them, one record after the
 * other: large files are never held in pieces. The first row is the head. What cannot be read comes
 * last.
 */
export function* readCsv(text: string): Generator<Result<CsvRecord, FileFault>> {
  let head: string[] | null = null
  for (const row of readRows(text)) {
    if (!row.ok) return yield row
    if (head === null) head = row.value.fields.map((name) => name.trim())
    else yield recordOf(head, row.value)
  }
  if (head === null) yield refuse({ line: 1, column: '', why: 'the file is empty' })
}

/** A row by the names of its head. One with more or fewer fields is refused. */
export function recordOf(head: readonly string[], { line, fields }: CsvRow): Result<CsvRecord, FileFault> {
  if (fields.length !== head.length) {
    const why = `has ${fields.length} fields, and the head has ${head.length}`
    return refuse({ line, column: head[fields.length] ?? '', why })
  }
  return ok({ line, cell: (column) => fields[head.indexOf(column)] ?? '' })
}

/** A row of a CSV file, and the line that it begins on. */
export type CsvRow = { line: number; fields: string[] }

/** Returns what stands between a quotation mark and the one that closes it; null for none. */
function quotedFrom(text: string, from: number): string | null {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return text.slice(from + 1, at)
  return null
}

/** Reads rows; empty lines are left out. */
export function* readRows(sent: string): Generator<Result<CsvRow, FileFault>> {
  const text = sent.replace(/^\uFEFF/, '')
  if (text.slice(0, 1000).includes('\0'))
    return yield refuse({ line: 1, column: '', why: 'the file is in UTF-16: save it as UTF-8' })
  const [first = ''] = text.split(/\r?\n/, 1)
  const comma = first.split(';').length > first.split(',').length ? ';' : ','
  const plain = comma === ';' ? /[^;\n]*/y : /[^,\n]*/y
  const take = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from
    return pattern.exec(text)
  }
  for (let at = 0, line = 1; at < text.length;) {
    const row: CsvRow = { line, fields: [] }
    for (let isOpen = true; isOpen; at += 1) {
      const quoted = text[at] === '"' ? quotedFrom(text, at) : ''
      if (quoted === null)
        return yield refuse({ line: row.line, column: '', why: 'a quotation mark is not closed' })
      const inside = quoted
      line += inside.split('\n').length - 1
      at += text[at] === '"' ? inside.length + 2 : 0
      const rest = take(plain, at)?.[0] ?? ''
      at += rest.length
      isOpen = text[at] === comma
      row.fields.push(inside.replaceAll('""', '"') + (isOpen ? rest : rest.replace(/\r$/, '')))
    }
    line += 1
    if (row.fields.length > 1 || row.fields[0] !== '') yield ok(row)
  }
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
