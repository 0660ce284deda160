import stringWidth from 'string-width'

type Rows = readonly (readonly string[])[]

/** The width of a table in characters, and how a cell is coloured once its width is known. */
type Shown = { width?: number; paint?: (cell: string) => string }

const GAP = '  '
/** Ids and times stay whole, because people copy them. */
const WHOLE = /^([0-9a-f-]{20,}|\d{4}-\d\d-\d\d.*)$/
const LEAST = 10

/**
 * Lays rows out in columns, each as wide as its widest cell. If the table is wider than the
 * terminal, long texts are cut; if that is not enough, each row becomes a block of lines.
 */
export function table(
  head: readonly string[],
  rows: Rows,
  { width = Infinity, paint = (cell) => cell }: Shown = {},
): string {
  const widths = fit(naturalWidths(head, rows), head, rows, width)
  if (totalOf(widths) > width) return blocks(head, rows, paint)
  const line = (cells: readonly string[], shown: (cell: string) => string): string =>
    cells
      .map((cell, column) => shown(padded(cut(cell, widths[column] ?? 0), widths[column] ?? 0)))
      .join(GAP)
      .trimEnd()
  const plain = (cell: string) => cell
  const rule = widths.map((columns) => '-'.repeat(columns))
  return [line(head, plain), line(rule, plain), ...rows.map((row) => line(row, paint))].join('\n')
}

function naturalWidths(head: readonly string[], rows: Rows): number[] {
  return head.map((title, column) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[column] ?? ''))),
  )
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)
}

/** Narrows the widest column that may be cut, until the table fits or none is left. */
function fit(natural: number[], head: readonly string[], rows: Rows, width: number): number[] {
  const widths = [...natural]
  const mayBeCut = head.map((_, column) => !rows.some((row) => WHOLE.test(row[column] ?? '')))
  const least = head.map((title) => Math.max(stringWidth(title), LEAST))
  while (totalOf(widths) > width) {
    const candidates = widths.map((columns, at) => (mayBeCut[at] && columns > (least[at] ?? 0) ? columns : 0))
    const widest = candidates.indexOf(Math.max(...candidates))
    if ((candidates[widest] ?? 0) === 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(width - stringWidth(cell), 0))
}

function cut(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (stringWidth(kept + segment) >= width) break
    kept += segment
  }
  return `${kept}…`
}

function blocks(head: readonly string[], rows: Rows, paint: (cell: string) => string): string {
  const pairsOf = (row: readonly string[]) => head.map((title, column) => [title, row[column] ?? ''] as const)
  return rows.map((row) => namedLines(pairsOf(row), paint)).join('\n\n')
}

/** Writes names and values, a line each, with all values in one column. Leaves out empty values. */
export function namedLines(
  pairs: readonly (readonly [name: string, value: string])[],
  paint: (value: string) => string,
): string {
  const width = Math.max(...pairs.map(([name]) => stringWidth(name)))
  return pairs
    .flatMap(([name, value]) => (value === '' ? [] : [`${padded(name, width)}${GAP}${paint(value)}`]))
    .join('\n')
}
