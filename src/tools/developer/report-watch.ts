import type { ReportFrame, ResultFrame } from '../../contract/report-frames.ts'
import { listenSocket } from './listen-socket.ts'
import { type Row, rowOf } from './report-rows.ts'
import type { TestHub } from './test-key.ts'

/** A try at a report that was seen, and what the job has recorded of it, once that is known. */
type Seen = { report: ReportFrame; result: ResultFrame | null; at: Date }

/** Watches the reports of a point of sale. Throws when the hub lets nobody watch. Whoever answers them goes on doing so. */
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
      return { body: last.report.body, state: last.result?.state ?? 'waiting' }
    },
    close: socket.close,
  }
}
export type ReportWatch = Awaited<ReturnType<typeof watchReports>>
