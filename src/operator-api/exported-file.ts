import { ok } from '../contract/result.ts'
import { log } from '../platform/log.ts'

/**
 * Where a spreadsheet may begin a cell: also at a semicolon, a tab or a line, as it does in
 * countries with a decimal comma.
 */
const CELL_BEGINS = /(?<=[;\t\v\f\r\n\u0085\u2028\u2029])/u
/** Some spreadsheets drop what cannot be seen before a formula, and quotes. */
const DROPPED = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u

/**
 * Whether a spreadsheet would take a text for a formula: also one in wide or small signs (NFKC).
 */
function isFormula(text: string): boolean {
  return /^[=+\-\u2212@]/.test(text.normalize('NFKC').replace(DROPPED, ''))
}

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly (string | null)[], separator = ','): string {
  return `${cells.map((one) => cell(one, separator)).join(separator)}\r\n`
}

/** An amount is a number: only a text is taken for a formula. */
function cell(text: string | null, separator: string): string {
  if (text !== null && /^-?\d+\.\d+$/.test(text)) return text
  // An apostrophe makes it a text: shops choose order numbers.
  const parts = (text ?? '').split(CELL_BEGINS).map((part) => (isFormula(part) ? `'${part}` : part))
  const safe = parts.join('').replace(/^(?=[\t\r\n])/, "'")
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The body of an export, whose texts are made when the client has taken those before: it holds one
 * of them. The first is there before the answer begins, so what fails by then is said with a
 * status. A fault after that breaks the answer off: a client never takes a part for the whole.
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

type AskedFile<Row> = {
  name: string
  format: 'csv' | 'ndjson'
  separator: 'comma' | 'semicolon'
  /** Its members are the columns of a CSV file, in this order. */
  schema: { entries: Record<keyof Row & string, unknown> }
  isHead: boolean
}

/** The pages of an export as a file: a line for each row. */
export async function exportedFile<Row extends Readonly<Record<string, string | null>>>(
  { name, format, separator, schema, isHead }: AskedFile<Row>,
  pages: AsyncGenerator<readonly Row[]>,
) {
  const sign = separator === 'comma' ? ',' : ';'
  const isCsv = format === 'csv'
  const columns = Object.keys(schema.entries)
  const line = (row: Row) =>
    isCsv
      ? csvLine(
          columns.map((column) => row[column] ?? null),
          sign,
        )
      : `${JSON.stringify(row)}\n`
  const body = await exportBody(textOf(isCsv ? csvLine(columns, sign) : '', line, pages))
  return ok(
    new Response(isHead ? null : body, {
      headers: {
        'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
        'content-disposition': `attachment; filename="${name}.${format}"`,
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
