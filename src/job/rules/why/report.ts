import { type Attempt, type Job, type Report, isTaken } from '../job.ts'
import { type Finding, at, quoted, times } from './causes.ts'

/** Why the shop was not told how the payment stands; null where it was, or where there is nothing to tell. */
export function whyUntold(job: Job, now: number): Finding | null {
  const report = job.reports.at(-1)
  if (!report || report.state === 'delivered') return null
  const failed = report.attempts.slice(report.attempts.findLastIndex(isTaken) + 1)
  const last = failed.at(-1)
  if (report.state === 'dead') return givenUp(job, report, last)
  return last ? failing(job, report, failed, last) : due(job, report, now)
}

/** When the shop took the newest report, as a sentence; empty where it has not. */
export function told(job: Job): string {
  const report = job.reports.at(-1)
  const taken = report?.state === 'delivered' ? report.attempts.findLast(isTaken) : undefined
  return taken ? ` The shop was told at ${at(taken.at)}: its receiver answered ${taken.outcome}.` : ''
}

function due({ flight }: Job, report: Report, now: number): Finding {
  const isLost = flight !== null && (flight.sends > 1 || flight.until <= now)
  return isLost
    ? {
        cause: 'report-lost',
        happened: `The shop was not told: the report, which the hub sent ${times(flight.sends)}, was not tried in time. The queue gets it again at ${at(flight.until)}.`,
        todo: "Wait. If it stays, look at the platform's status.",
      }
    : {
        cause: 'report-due',
        happened: `The report to the shop is due since ${at(report.dueAt)}, and about to be sent.`,
        todo: 'Wait some seconds, and look again.',
      }
}

function failing({ order, id }: Job, { dueAt }: Report, failed: readonly Attempt[], last: Attempt): Finding {
  const how = `${times(failed.length)}, last at ${at(last.at)}`
  const again = ` The hub tries again at ${at(dueAt)}.`
  const todo = `The shop must mend the receiver at ${order.reportUrl}; then run report resend ${id}.`
  const happened = (what: string) =>
    `The shop was not told: its receiver ${what}, ${how}.${quoted('Its answer began', last.answer ?? null)}${again}`
  switch (last.outcome) {
    case 'no connection':
      return { cause: 'receiver-unreachable', happened: happened('could not be reached'), todo }
    case 'no answer in time':
      return { cause: 'receiver-too-slow', happened: happened('did not answer in time'), todo }
    case 'not tried: fault of the hub':
      return {
        cause: 'report-not-tried',
        happened: `The shop was not told: a fault of the hub kept the report from being sent, ${how}.${again}`,
        todo: 'Look at the log events report.not-tried of this job.',
      }
    default: {
      const redirect = last.outcome.startsWith('3') ? ', a redirect, which the hub does not follow' : ''
      return {
        cause: 'receiver-answers-error',
        happened: happened(`answered ${last.outcome}${redirect}`),
        todo,
      }
    }
  }
}

function givenUp({ order, id }: Job, { attempts }: Report, last: Attempt | undefined): Finding {
  const when = last ? ` at ${at(last.at)}` : ''
  const resend = `then run report resend ${id}.`
  const outcome = last?.outcome ?? 'no try'
  switch (outcome) {
    case '410':
      return {
        cause: 'report-unwanted',
        happened: `The shop was not told: its receiver answered 410${when}, which says that it wants no more reports. The hub gave the report up.`,
        todo: `The shop must mend the receiver at ${order.reportUrl}; ${resend}`,
      }
    case 'address refused':
      return {
        cause: 'report-address-refused',
        happened: `The shop was not told: the hub sends nothing to ${order.reportUrl}, which is no public https address, or the hub's own. It gave the report up${when}.`,
        todo: 'The shop must send another report_url with its orders, and read this job itself.',
      }
    default:
      return {
        cause: 'report-given-up',
        happened: `The shop was not told: the report was tried ${times(attempts.length)}, and given up${when}. The last was: ${outcome}.${quoted('Its answer began', last?.answer ?? null)}`,
        todo: `The shop must mend the receiver at ${order.reportUrl}; ${resend}`,
      }
  }
}
