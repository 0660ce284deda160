/**
 * Where a spreadsheet may begin a cell inside a text: it may split at a semicolon, a tab or a line
 * break, as spreadsheets do in countries with a decimal comma.
 */
const CELL_BEGINS = /(?<=[;\t\v\f\r\n\u0085\u2028\u2029])/u
/** Some spreadsheets drop invisible characters and quotes before a formula. */
const DROPPED = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u

/**
 * Tells whether a spreadsheet would take a text for a formula, even one in wide or small characters
 * (NFKC).
 */
function isFormula(text: string): boolean {
  return /^[=+\-\u2212@]/.test(text.normalize('NFKC').replace(DROPPED, ''))
}

/**
 * A text that a spreadsheet would take for a number or a date: `00123`, `1E5`, `12-05`. Not one that looks the
 * same as a number, such as `123`, nor a date or time of the API.
 */
const LIKE_NUMBER = /^(?!(?:0|[1-9]\d{0,14}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)$)[-.,]?\d[\d.,:/ eE+-]*$/

/** A cell: a text, or an amount as the API writes it, which becomes a number in the spreadsheet. */
export type Cell = string | null | { readonly amount: string }

/** The separator of cells. With `;`, amounts have a decimal comma. */
export type Separator = ',' | ';'

/**
 * Writes the head of a CSV file. Spreadsheets in countries with a decimal comma read a file in the
 * code page of their machine, unless it begins with a byte order mark.
 */
export function csvHead(names: readonly string[], separator: Separator): string {
  return (separator === ';' ? '\ufeff' : '') + csvLine(names, separator)
}

/** Writes a line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly Cell[], separator: Separator = ','): string {
  return `${cells.map((one) => cell(one, separator)).join(separator)}\r\n`
}

function cell(content: Cell, separator: Separator): string {
  if (typeof content === 'object' && content !== null)
    return separator === ';' ? content.amount.replace('.', ',') : content.amount
  const text = content ?? ''
  // A spreadsheet takes what is quoted for a text if its filter says so: docs/operating/books-export.md.
  if (/^-?\d+\.\d+$/.test(text)) return `"${text}"`
  // An apostrophe turns a formula into a text. Outsiders choose texts, such as order numbers.
  const parts = text.split(CELL_BEGINS).map((part) => (isFormula(part) ? `'${part}` : part))
  const safe = parts.join('').replace(/^(?=[\t\r\n])/, "'")
  return /["\r\n]/.test(safe) || LIKE_NUMBER.test(safe) || safe.includes(separator)
    ? `"${safe.replaceAll('"', '""')}"`
    : safe
}
