import { EXPORT_MODE } from '../contract/job-export.ts'
import { jsonLine } from '../contract/json-lines.ts'
import { ok } from '../contract/result.ts'
import { type Cell, csvHead, csvLine } from '../platform/csv-line.ts'
import type { Mode } from '../contract/values.ts'
import { log } from '../platform/log.ts'

/**
 * Makes the body of an export. It makes a text once the client has taken the previous one, so it
 * holds one at a time. It makes the first one before the answer begins, so that an early fault gets
 * a status. A later fault breaks the answer off, so that no client takes a part for the whole.
 */
export async function exportBody(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let first: IteratorResult<string, unknown> | null = await texts.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { value, done } = first ?? (await texts.next())
            first = null
            if (done === true) return controller.close()
            if (value !== '') return controller.enqueue(encoder.encode(value))
          }
        } catch (error) {
          log.fault('export.broken-off', error)
          throw error
        }
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

type ExportedFile<Row> = {
  name: string
  format: 'csv' | 'ndjson'
  separator: 'comma' | 'semicolon'
  /** Its members are the columns of a CSV file, in this order. */
  schema: { entries: Record<keyof Row & string, unknown> }
  /** The columns that are amounts. */
  amounts: readonly string[]
  /** The mode of all rows; null if they may have either. */
  mode: Mode | null
  isHead: boolean
}

/** Answers with the pages of an export as a file: a line for each row. */
export async function exportedFile<Row extends Readonly<Record<string, string | null>>>(
  { name, format, separator, schema, amounts, mode, isHead }: ExportedFile<Row>,
  pages: AsyncGenerator<readonly Row[]>,
) {
  const sign = separator === 'comma' ? ',' : ';'
  const isCsv = format === 'csv'
  const columns = Object.keys(schema.entries)
  const cellOf = (row: Row, column: string): Cell => {
    const text = row[column] ?? null
    return text !== null && amounts.includes(column) ? { amount: text } : text
  }
  const cellsOf = (row: Row) => columns.map((column) => cellOf(row, column))
  const line = (row: Row) => (isCsv ? csvLine(cellsOf(row), sign) : jsonLine(row))
  const body = await exportBody(textOf(isCsv ? csvHead(columns, sign) : '', line, pages))
  return ok(
    new Response(isHead ? null : body, {
      headers: {
        'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
        'content-disposition': `attachment; filename="${name}.${format}"`,
        ...(mode === null ? {} : { [EXPORT_MODE]: mode }),
      },
    }),
  )
}

const textOf = async function* <Row>(
  head: string,
  line: (row: Row) => string,
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  let before = head
  for await (const page of pages) {
    yield before + page.map(line).join('')
    before = ''
  }
  yield before
}
