import { table } from '../../src/tools/table.ts'
import type { Summary } from './summary.ts'
import type { Comparison } from './targets.ts'

const FIGURES = ['rps', 'p99', 'cpuPerThousand'] as const

function number(value: number | null, digits: number): string {
  return value === null || Number.isNaN(value) ? '-' : value.toFixed(digits)
}

/** The measurements as a table. */
export function summaryTable(summaries: readonly Summary[]): string {
  return table(
    [
      'what',
      'at once',
      'server',
      'requests/s',
      'lowest–highest',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'CPU s/1000',
      'peak MB',
    ],
    summaries.map((each) => [
      each.what,
      String(each.concurrency),
      each.server,
      number(each.rps.median, 0),
      `${number(each.rps.low, 0)}–${number(each.rps.high, 0)}`,
      number(each.p50, 2),
      number(each.p95, 2),
      number(each.p99, 2),
      number(each.cpuPerThousand, 2),
      number(each.peakMemory === null ? null : each.peakMemory / 1e6, 0),
    ]),
  )
}

/** The ratios as a table: the hub's figure divided by the yardstick's, and whether the target is met. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = Map.groupBy(comparisons, (each) => `${each.what} ${each.against} ${each.concurrency}`)
  return table(
    ['hub', 'at once', 'against', 'requests/s', 'p99', 'CPU'],
    Array.from(rows.values(), (row) => [
      row[0]?.what ?? '',
      String(row[0]?.concurrency ?? ''),
      row[0]?.against ?? '',
      ...FIGURES.map((figure) => cell(row.find(({ ratio }) => ratio.figure === figure))),
    ]),
  )
}

function cell(comparison: Comparison | undefined): string {
  if (!comparison) return '-'
  const { ratio, met, target } = comparison
  const mark = met === null ? '' : ` ${met ? '✓' : '✗'} ${target}`
  return `${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})${mark}`
}
