import { type Result, ok, refuse } from '../contract/result.ts'
import type { FileFault } from './payouts.ts'

/** A record of a CSV file: its fields by the names of the head, and the line that it begins on. */
export type CsvRecord = { line: number; fields: ReadonlyMap<string, string> }

/**
 * Reads CSV (RFC 4180), with commas or semicolons as its head has them. Empty lines are left out. A
 * record with more or fewer fields than the head is refused.
 */
export function readCsv(text: string): Result<CsvRecord[], FileFault> {
  const [first = ''] = text.split(/\r?\n/, 1)
  const comma = first.split(';').length > first.split(',').length ? ';' : ','
  const rows = splitRows(text.replace(/^\uFEFF/, ''), comma)
  if (!rows.ok) return rows
  const [head, ...others] = rows.value
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

type Row = { line: number; fields: string[] }

function splitRows(text: string, comma: string): Result<Row[], FileFault> {
  const rows: Row[] = []
  let row: Row = { line: 1, fields: [] }
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
