/** What a spreadsheet would take for a formula gets an apostrophe before it, which makes it a text: shops choose order numbers. */
const FORMULA = /^[=+\-@\t\r]/

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`

const cell = (text: string | null): string => {
  const safe = text === null ? '' : FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
