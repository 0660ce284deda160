import type { ReportFrame } from '../../contract/report-frames.ts'
import { type TestHub, noHubAt } from '../cli/chosen-hub.ts'
import { listenSocket } from '../cli/listen-socket.ts'
import type { Answered } from './shop.ts'

/** Handles one try at a report on its way to the shop, and returns the answer for the hub. */
export type Pass = (report: ReportFrame) => Promise<Answered>

/** The way of reports from the hub to the shop, for jobs that say what becomes of theirs. */
export type ReportNetwork = {
  /** From now on the tries at the reports of a job go by `pass`. */
  route: (job: string, pass: Pass) => void
  close: () => void
}

/** How long (ms) a report of a job that nobody has named yet is kept. */
const UNNAMED = 10_000

/** Takes a shop's reports in place of its receiver. Throws where the hub takes no listener. */
export async function reportNetwork(hub: TestHub): Promise<ReportNetwork> {
  const routes = new Map<string, Pass>()
  const early = new Map<string, ReportFrame[]>()
  const decline = (delivery: string) => socket.send({ type: 'declined', delivery })
  const carry = async (pass: Pass, report: ReportFrame): Promise<void> => {
    const { delivery } = report
    const answer = await pass(report).catch((): Answered => 'no connection')
    const how = typeof answer === 'number' ? { status: answer } : { failed: answer }
    socket.send({ type: 'answer', delivery, ...how })
  }
  const take = (report: ReportFrame): void => {
    const pass = routes.get(report.job)
    if (pass) return void carry(pass, report)
    // The shop's own client may have made a job whose id is not known here yet.
    early.set(report.job, [...(early.get(report.job) ?? []), report])
    setTimeout(() => {
      for (const { delivery } of early.get(report.job) ?? []) decline(delivery)
      early.delete(report.job)
    }, UNNAMED).unref()
  }
  const connected = Promise.withResolvers<null>()
  const socket = listenSocket(hub, 'answers', {
    frame: (frame) => {
      if (frame.type === 'report') take(frame)
    },
    connected: () => connected.resolve(null),
    lost: () => {},
  })
  const refused = await Promise.race([connected.promise, socket.ended.then((why) => why ?? noHubAt(hub.url))])
  if (refused !== null) throw new Error(refused)
  return {
    route: (job, pass) => {
      routes.set(job, pass)
      for (const report of early.get(job) ?? []) void carry(pass, report)
      early.delete(job)
    },
    close: socket.close,
  }
}
