import type { FigureRow, Figures } from '../../contract/job-index.ts'
import { HOUR, isoSecond } from '../../contract/timestamp.ts'
import { dayStart, localOf, nextDay } from '../../platform/pages/zoned-time.ts'
import { countText, rateText, titled } from './formats.ts'
import { type Column, Table, Time } from './parts.tsx'
import { timeText } from '../../platform/pages/time-text.ts'
import { useVisit } from '../plumbing/visit.ts'

const KINDS = ['success', 'pending', 'failure', 'cancelled', 'expired'] as const

/** Units of the drawing, which the browser stretches: a column is 10 wide, the chart 100 high. */
const [COLUMN, BAR, HEIGHT] = [10, 7, 100]
/** With more labels than this, neighbours would touch. */
const MOST_NAMES = 7

export type TimeUnit = 'hour' | 'day'

/** Returns every hour or day of the range, including those without payments. */
function columnsOf({ rows, from, to, zone }: Figures, unit: TimeUnit) {
  const found = new Map(rows.map((row) => [row.key, row]))
  return keysOf(Date.parse(from), Date.parse(to), unit, zone).map((at) => ({ at, row: found.get(at) }))
}

/** Returns the keys of figures in the range: starts of hours, or days of the zone. */
function keysOf(from: number, to: number, unit: TimeUnit, zone: string): string[] {
  const keys: string[] = []
  if (unit === 'hour') for (let at = from; at < to; at += HOUR) keys.push(isoSecond(at))
  else
    for (let day = localOf(from, zone).slice(0, 10); dayStart(day, zone) < to; day = nextDay(day))
      keys.push(day)
  return keys
}

/** Returns the top of the scale: the least of 1, 2, 5, 10, 20 … that reaches `most`. */
function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)))
  return [1, 2, 5, 10].map((times) => times * power).find((top) => top >= most) ?? most
}

/** Shows payments by creation time as stacked bars; a table repeats the figures. */
export function Chart({ figures, unit }: { figures: Figures; unit: TimeUnit }) {
  const { rows } = figures
  const columns = columnsOf(figures, unit)
  const top = topOf(Math.max(...columns.map(({ row }) => row?.created ?? 0)))
  const every = Math.ceil(columns.length / MOST_NAMES)
  const { zone, now } = useVisit()
  return (
    <figure class="chart">
      <ul class="legend">
        {KINDS.map((kind) => (
          <li key={kind}>
            <svg class={kind} viewBox="0 0 1 1" aria-hidden="true">
              <rect width="1" height="1" />
            </svg>
            {titled(kind)}
          </li>
        ))}
      </ul>
      <div class="plot">
        <p class="scale" aria-hidden="true">
          <span>{countText(top)}</span>
          <span>{top % 2 === 0 ? countText(top / 2) : ''}</span>
          <span>0</span>
        </p>
        <svg
          viewBox={`0 0 ${columns.length * COLUMN} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby="chart-title chart-desc"
        >
          <title id="chart-title">Payments by {unit}</title>
          <desc id="chart-desc">
            A bar for each {unit} shows the payments that were created in it, by status. The table below has
            the figures.
          </desc>
          <path class="grid" d={[0, 50, 100].map((y) => `M0 ${y}H${columns.length * COLUMN}`).join('')} />
          {columns.map(({ at, row }, place) => (
            <g key={at}>
              {row && (
                <title>{`${timeText(at, unit === 'hour' ? 'short' : 'day', zone, now)}: ${columnText(row)}`}</title>
              )}
              <rect class="hit" x={place * COLUMN} y="0" width={COLUMN} height={HEIGHT} />
              {row &&
                bars(row, top).map(({ kind, y, height }) => (
                  <rect
                    key={kind}
                    class={kind}
                    x={place * COLUMN + (COLUMN - BAR) / 2}
                    y={y}
                    width={BAR}
                    height={height}
                  />
                ))}
            </g>
          ))}
        </svg>
        <p class="names" aria-hidden="true">
          {columns
            .filter((_, place) => place % every === 0)
            .map(({ at }) => (
              <Time key={at} at={at} form={unit} />
            ))}
        </p>
      </div>
      <details>
        <summary>As a table</summary>
        <FiguresTable rows={rows} unit={unit} />
      </details>
    </figure>
  )
}

function columnText(row: FigureRow): string {
  return `${countText(row.created)} payments${KINDS.filter((kind) => row[kind] > 0)
    .map((kind) => `, ${countText(row[kind])} ${kind}`)
    .join('')}`
}

/** Stacks a column's bars from the bottom up. */
function bars(row: FigureRow, top: number) {
  let ground = HEIGHT
  return KINDS.filter((kind) => row[kind] > 0).map((kind) => {
    const height = Math.round(((row[kind] * HEIGHT) / top) * 100) / 100
    ground -= height
    return { kind, y: Math.round(ground * 100) / 100, height }
  })
}

function FiguresTable({ rows, unit }: { rows: readonly FigureRow[]; unit: TimeUnit }) {
  const columns: Column<FigureRow>[] = [
    {
      name: unit === 'hour' ? 'Hour' : 'Day',
      isName: true,
      cell: ({ key }) => <Time at={key} form={unit === 'hour' ? 'short' : 'day'} />,
    },
    { name: 'Payments', class: 'number', cell: ({ created }) => countText(created) },
    ...KINDS.map((kind) => ({
      name: titled(kind),
      class: 'number',
      cell: (row: FigureRow) => countText(row[kind]),
    })),
    { name: 'Success rate', class: 'number', cell: ({ successRate }) => rateText(successRate) },
  ]
  return <Table label={`Payments by ${unit}`} columns={columns} rows={rows} />
}
