import * as v from 'valibot'
import { plainAmount } from '../contract/money.ts'
import { FIGURES, figuresWith, recordBy } from '../contract/money-figures.ts'
import type { ReportFrame, ResultFrame } from '../contract/report-frames.ts'
import type { TestHub } from './test-hub.ts'
import { startListening } from './listen-socket.ts'
import type { View } from '../programs/view.ts'

/** The members of a job that this kit reads in a report. */
const ReportedJob = v.object({
  orderNumber: v.string(),
  status: v.string(),
  currency: v.string(),
  amountPaid: v.string(),
  ...recordBy('api', figuresWith('inTrace'), () => v.exactOptional(v.string())),
})
export type ReportedJob = v.InferOutput<typeof ReportedJob>

export const ReportBody = v.pipe(v.string(), v.parseJson(), ReportedJob)
const UNKNOWN: ReportedJob = { orderNumber: '', status: '', currency: '', amountPaid: '' }

/** The job's record of a try; null while it is unknown. */
export type Recorded = Pick<ResultFrame, 'outcome' | 'state' | 'nextTry' | 'ms'> | null

export function rowOf({ job, headers, body, try: number }: ReportFrame, recorded: Recorded, now: Date) {
  const read = v.safeParse(ReportBody, body)
  const reported = read.success ? read.output : UNKNOWN
  return {
    time: now.toISOString(),
    ...reported,
    paymentJob: job,
    webhookId: headers['webhook-id'] ?? '',
    try: number,
    outcome: recorded?.outcome ?? null,
    state: recorded?.state ?? 'due',
    nextTry: recorded?.nextTry ?? null,
    ms: recorded?.ms ?? null,
  }
}
export type Row = ReturnType<typeof rowOf>

function amountOf({ currency, amountPaid, ...row }: Row): string {
  const back = figuresWith('isBack').flatMap((name) => row[FIGURES[name].api] ?? [])
  const [paid = '', ...others] = [amountPaid, ...back].map((amount) => plainAmount(amount, currency))
  return [`${currency} ${paid}`, ...others.map((amount) => `-${amount}`)].join(' ')
}

/** Rows come one by one, so widths are fixed; a longer text moves the rest of its line. */
const COLUMNS: readonly (readonly [title: string, width: number, cell: (row: Row, view: View) => string])[] =
  [
    ['time', 8, ({ time }, view) => view.time(time).slice(11, 19)],
    ['order', 14, ({ orderNumber }) => orderNumber],
    ['status', 9, ({ status }) => status],
    ['paid', 12, amountOf],
    ['try', 3, (row) => String(row.try)],
    ['answer', 13, ({ outcome }) => outcome ?? 'not known'],
    ['ms', 5, ({ ms }) => String(ms ?? '')],
    ['webhook-id', 10, ({ webhookId }) => webhookId],
  ]

function lineOf(cells: readonly string[], columns: number): string {
  const padded = cells.map((cell, at) => cell.padEnd(COLUMNS[at]?.[1] ?? 0))
  return padded.join('  ').slice(0, columns).trimEnd()
}

/** Returns the head of the table, no wider than a terminal of so many columns. */
export function headLines(columns = process.stdout.columns ?? Infinity): string[] {
  const titles = COLUMNS.map(([title]) => title)
  const rules = COLUMNS.map(([, width]) => '-'.repeat(width))
  return [titles, rules].map((cells) => lineOf(cells, columns))
}

export function rowLine(row: Row, view: View, columns = process.stdout.columns ?? Infinity): string {
  return lineOf(
    COLUMNS.map(([, , cell]) => cell(row, view)),
    columns,
  )
}

/** Makes a table of rows that are all there, so that each column is as wide as its cells. */
export function tableOf(rows: readonly Row[], view: View): string {
  return view.table(
    COLUMNS.map(([title]) => title),
    rows.map((row) => COLUMNS.map(([, , cell]) => cell(row, view))),
  )
}

/** A try at a report, and the job's record of it, once known. */
type Seen = { report: ReportFrame; result: ResultFrame | null; at: Date }

/**
 * Watches the reports of a point of sale, while its receiver or listener goes on answering them.
 * Throws if the hub refuses.
 */
export async function watchReports(hub: TestHub) {
  const tries = new Map<string, Seen>()
  const socket = await startListening(hub, 'watches', (frame) => {
    if (frame.type === 'report') {
      tries.set(frame.delivery, { report: frame, result: null, at: new Date() })
      return
    }
    const seen = tries.get(frame.delivery)
    if (seen) seen.result = frame
  })
  const triesOf = (job: string) => [...tries.values()].filter(({ report }) => report.job === job)
  return {
    /** Returns the tries at the reports of a job, in order. */
    of: (job: string): Row[] => triesOf(job).map(({ report, result, at }) => rowOf(report, result, at)),
    /** Returns the last try at the newest report of a job. */
    newest: (job: string): Row | null => {
      const all = triesOf(job)
      const newest = Math.max(...all.map(({ report }) => report.revision))
      const last = all.findLast(({ report }) => report.revision === newest)
      return last ? rowOf(last.report, last.result, last.at) : null
    },
    close: socket.close,
  }
}
export type ReportWatch = Awaited<ReturnType<typeof watchReports>>
