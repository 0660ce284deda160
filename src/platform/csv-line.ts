/**
 * Where a spreadsheet may begin a cell. It may also split at a semicolon, a tab or a line break, as
 * spreadsheets do in countries with a decimal comma.
 */
const CELL_BEGINS = /(?<=[;\t\v\f\r\n\u0085\u2028\u2029])/u
/** Some spreadsheets drop invisible characters and quotes before a formula. */
const DROPPED = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u

/**
 * Tells whether a spreadsheet would take a text for a formula, also one in wide or small signs
 * (NFKC).
 */
function isFormula(text: string): boolean {
  return /^[=+\-\u2212@]/.test(text.normalize('NFKC').replace(DROPPED, ''))
}

/** Writes a line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly (string | null)[], separator = ','): string {
  return `${cells.map((one) => cell(one, separator)).join(separator)}\r\n`
}

/** Writes a cell. An amount is a number, so its minus sign is no formula. */
function cell(text: string | null, separator: string): string {
  if (text !== null && /^-?\d+\.\d+$/.test(text)) return text
  // An apostrophe makes a formula a text. Shops choose order numbers, so they could contain
  // formulas.
  const parts = (text ?? '').split(CELL_BEGINS).map((part) => (isFormula(part) ? `'${part}` : part))
  const safe = parts.join('').replace(/^(?=[\t\r\n])/, "'")
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}
