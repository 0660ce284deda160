import type { FigureRow } from '../../operator-api/contract/figures.ts'
import { hubCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { PART_FLAGS, rangeOf } from './search.ts'
import type { View } from './view.ts'

function percent(rate: number | null): string {
  return rate === null ? '' : `${(rate * 100).toFixed(1)} %`
}

function seconds(median: number | null): string {
  if (median === null) return ''
  if (median >= 3600) return '1 h or more'
  return median < 90 ? `${Math.round(median)} s` : `${Math.round(median / 60)} min`
}

function cellsOf(row: FigureRow, view: View): string[] {
  return [
    // Of an hour the name is its time.
    view.times(row.name),
    ...[row.created, row.success, row.failure, row.cancelled, row.expired, row.pending].map(String),
    percent(row.successRate),
    seconds(row.medianSeconds),
    row.paid.map(({ currency, amount }) => `${currency} ${amount}`).join(', '),
  ]
}

export const stats = hubCommand({
  name: 'stats',
  does: 'shows how many payments there were, what became of them, and how long they took',
  example: 'stats --from 2026-01-31 --by psp',
  args: {
    from: {
      type: 'string',
      valueHint: 'TIME',
      description: 'created at this time or later; a day ago if not given',
    },
    to: { type: 'string', valueHint: 'TIME', description: 'created before this time; now if not given' },
    by: {
      type: 'string',
      valueHint: 'WHAT',
      description: 'hour, day, psp, account, method, pos or currency',
    },
    ...PART_FLAGS,
    mode: { type: 'string', valueHint: 'MODE', description: 'live or test; live where there are live shops' },
  },
  run: ({ from, to, by, pos, account, method, mode }, utc) =>
    ask('showFigures', { query: { ...rangeOf({ from, to }, utc), by, pos, account, method, mode } }),
  show: ({ from, to, by, mode, rows, total }, view) =>
    [
      `Payments of ${mode} points of sale that were created from ${view.time(from)} to ${view.time(to)}:`,
      '',
      view.table(
        [
          by,
          'created',
          'paid',
          'failed',
          'cancelled',
          'expired',
          'pending',
          'success',
          'half within',
          'paid in all',
        ],
        [...rows, total].map((row) => cellsOf(row, view)),
      ),
    ].join('\n'),
})
