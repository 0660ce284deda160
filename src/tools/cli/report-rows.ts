import * as v from 'valibot'
import type { ReportFrame, ResultFrame } from '../../contract/report-frames.ts'
import type { TestHub } from './chosen-hub.ts'
import { listenSocket } from './listen-socket.ts'

const Told = v.object({
  orderNumber: v.string(),
  status: v.string(),
  currency: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.exactOptional(v.string()),
  amountChargedBack: v.exactOptional(v.string()),
})
type Told = v.InferOutput<typeof Told>

const Body = v.pipe(v.string(), v.parseJson(), Told)
const UNKNOWN: Told = { orderNumber: '', status: '', currency: '', amountPaid: '' }

/** What the job has recorded of a try; null while it is not known. */
export type Recorded = Pick<ResultFrame, 'outcome' | 'state' | 'nextTry' | 'ms'> | null

export function rowOf({ job, headers, body, try: number }: ReportFrame, recorded: Recorded, now: Date) {
  const read = v.safeParse(Body, body)
  const told = read.success ? read.output : UNKNOWN
  return {
    time: now.toISOString(),
    ...told,
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

const HEAD = ['time', 'order', 'status', 'paid', 'webhook-id', 'try', 'answer', 'ms']

/** Characters of each column. Order and webhook-id share what the terminal has left. */
function widthsFor(columns: number): number[] {
  const fixed = { time: 8, status: 9, amount: columns < 120 ? 12 : 18, try: 3, answer: 17, ms: 5 }
  const rest = columns - Object.values(fixed).reduce((sum, width) => sum + width, 0) - 2 * (HEAD.length - 1)
  const id = Math.min(Math.max(rest - 12, 8), 46)
  const order = Math.min(Math.max(rest - id, 6), 24)
  return [fixed.time, order, fixed.status, fixed.amount, id, fixed.try, fixed.answer, fixed.ms]
}

/** The line of a try, and the head of the table, no longer than a terminal of so many columns. */
export function tableLines(columns: number) {
  const widths = widthsFor(columns)
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => shortened(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0))
      .join('  ')
      .slice(0, columns)
      .trimEnd()
  return {
    head: () => `${line(HEAD)}\n${line(widths.map((width) => '-'.repeat(width)))}`,
    row: (row: Row) =>
      line([
        row.time.slice(11, 19),
        row.orderNumber,
        row.status,
        amountOf(row),
        row.webhookId,
        String(row.try),
        row.outcome ?? 'not known',
        row.ms === null ? '' : String(row.ms),
      ]),
  }
}

function amountOf({ currency, amountPaid, ...row }: Row): string {
  const back = [row.amountRefunded, row.amountChargedBack].filter((amount) => amount !== undefined)
  return [`${currency} ${amountPaid}`, ...back.map((amount) => `-${amount}`)].join(' ')
}

/** The beginning and the end of a text that is too long: ids differ at both. */
function shortened(text: string, width: number): string {
  return text.length <= width
    ? text
    : `${text.slice(0, Math.ceil(width / 2) - 1)}…${text.slice(-Math.floor(width / 2))}`
}

/** A try at a report that was seen, and what the job has recorded of it, once that is known. */
type Seen = { report: ReportFrame; result: ResultFrame | null; at: Date }

/**
 * Watches the reports of a point of sale. Throws when the hub lets nobody watch. Whoever answers
 * them goes on doing so.
 */
export async function watchReports(hub: TestHub) {
  const tries = new Map<string, Seen>()
  const connected = Promise.withResolvers<void>()
  const socket = listenSocket(hub, 'watches', {
    frame: (frame) => {
      if (frame.type === 'report') {
        tries.set(frame.delivery, { report: frame, result: null, at: new Date() })
        return
      }
      const seen = tries.get(frame.delivery)
      if (seen) seen.result = frame
    },
    connected: () => connected.resolve(),
    lost: () => {},
  })
  const refused = await Promise.race([connected.promise.then(() => null), socket.ended])
  if (refused !== null) throw new Error(refused)
  return {
    /** The tries at the reports of a job, in their order. */
    of: (job: string): Row[] =>
      [...tries.values()]
        .filter(({ report }) => report.job === job)
        .map(({ report, result, at }) => rowOf(report, result, at)),
    /** The newest report of a job that was tried, as it stood: its body, and what became of it. */
    newest: (job: string): { body: string; state: Row['state'] } | null => {
      const own = [...tries.values()].filter(({ report }) => report.job === job)
      const newest = own.toSorted((one, other) => one.report.revision - other.report.revision).at(-1)
      if (!newest) return null
      const last = own.findLast(({ report }) => report.revision === newest.report.revision) ?? newest
      return { body: last.report.body, state: last.result?.state ?? 'due' }
    },
    close: socket.close,
  }
}
export type ReportWatch = Awaited<ReturnType<typeof watchReports>>
