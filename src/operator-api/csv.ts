/**
 * What a spreadsheet would take for a formula gets an apostrophe before it, which makes it a text: shops choose order numbers. A
 * spreadsheet may begin a cell at a semicolon, a tab or a line too, as it does in countries with a decimal comma.
 */
const FORMULA = /^(?=[=+\-@\t\r\n])|(?<=[;\t\r\n][\s"]*)(?=[=+\-@])/g

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string | null): string {
  const safe = (text ?? '').replaceAll(FORMULA, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
