import { jobNow } from '../contract/advance.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { type Command, decide, writerOf } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import { reportName } from './core/duty-names.ts'
import type { Fact } from './core/facts.ts'
import type { State } from './core/state.ts'
import type { Answers, NewestAnswers } from './core/who-may-ask.ts'
import { type Roster, dutyRoster, performDue, setAlarm } from './duty-roster.ts'
import { type Besides, journalOf } from './journal-store.ts'
import { jobWatchers } from './watchers.ts'

/** How long (ms) a try at a report may take: the receiver has 15 s. */
const LONGEST_TRY = MINUTE / 3
/** How many questions and announcements customers and PSPs may cause for one job in an hour. */
const MOST_OUTSIDE = 120

/**
 * The job of an object. Everything goes the same way: decide, append, perform. All but the journal
 * is memory and may be lost; the object then does a duty again, which is safe.
 */
export type OwnJob = {
  ctx: DurableObjectState
  env: Env
  journal: ReturnType<typeof journalOf>
  watchers: ReturnType<typeof jobWatchers>
  roster: Roster
  /** The questions that wait for an answer, and the newest answers, by the name of the duty to ask. */
  questions: ReturnType<typeof singleFlight<Answers>>
  newest: Map<string, NewestAnswers>
  /** When (ms) the newest question began, answered or not, by the name of the duty to ask. */
  began: Map<string, number>
  outside: ReturnType<typeof hourlyLimit>
  /** The newest row that the index queue has taken. The journal may not say so yet. */
  rowSent: { entry: number; digest: string } | null
  /** The entry whose row the journal names, while the index may have a later one; else Infinity. */
  unsureSince: number | undefined
  /** Set from the job's birth until the hub announces it: nothing can have reached a PSP before. */
  isNew: boolean
  /** Until when (ms) a try at a report may be under way. */
  tryUntil: number
}

type Perform = (job: OwnJob, duty: Duty) => ReturnType<Roster['perform']>

export function ownJob(ctx: DurableObjectState, env: Env, perform: Perform): OwnJob {
  const watchers = jobWatchers(ctx, () => journal.read())
  const journal = journalOf(ctx, (before, after) => watchers.tell(before, after))
  const roster = dutyRoster(ctx, env, {
    read: journal.read,
    now: () => nowOf(job),
    isRowSure: (state) => isRowSure(job, state),
    perform: (duty) => perform(job, duty),
  })
  const asking = {
    questions: singleFlight<Answers>(),
    newest: new Map(),
    began: new Map(),
    outside: hourlyLimit(MOST_OUTSIDE),
  }
  const memory = { rowSent: null, unsureSince: undefined, isNew: false, tryUntil: 0 }
  const job: OwnJob = { ctx, env, journal, watchers, roster, ...asking, ...memory }
  return job
}

/** Limits how often something happens in an hour. The count is lost with the object's memory. */
function hourlyLimit(most: number) {
  let times: number[] = []
  /** Returns from when (ms) on there is room for one more. */
  const freeAt = (): number => (times.at(-most) ?? -HOUR) + HOUR
  const count = (): void => void (times = [...times, Date.now()].slice(-most))
  return {
    freeAt,
    count,
    /** Returns false when the limit is reached; else counts one more. */
    mayHappen: (): boolean => {
      const isFree = freeAt() <= Date.now()
      if (isFree) count()
      return isFree
    },
  }
}

/** Returns the time (ms) by the job's clock. */
export function nowOf({ journal }: OwnJob): number {
  return jobNow(journal.read()?.clock, Date.now())
}

/** Returns the state. Throws without a job. */
export function stateOf({ journal }: OwnJob): State {
  const state = journal.read()
  if (!state) throw new Error('there is no job')
  return state
}

function isRowSure(job: OwnJob, { index }: State): boolean {
  job.unsureSince ??= job.journal.beganSure() ? Infinity : index.written
  return job.unsureSince === Infinity || index.written > job.unsureSince
}

/** Decides about what happened, and appends the facts. */
export function tell(job: OwnJob, command: Command): State {
  const state = stateOf(job)
  if (command.do === 'record-report') {
    // This try has ended, so the next may begin, of the same revision or of a newer one.
    job.tryUntil = 0
    for (const one of [command.tried, state]) job.roster.waits.delete(reportName(one.revision))
  }
  const facts = decide(state, command, nowOf(job))
  const by = writerOf(command)
  return facts.length === 0 ? state : append(job, facts, by ? { by } : {})
}

/**
 * Appends facts, and performs what they make due, even if the client that caused it disconnects. If
 * the index queue has taken a row meanwhile, the same entry says so.
 */
export function append(job: OwnJob, facts: readonly Fact[], besides: Besides = {}): State {
  const { ctx, journal, roster, rowSent } = job
  const before = journal.read()
  const rows = before && rowSent ? decide(before, { do: 'record-row', ...rowSent }, nowOf(job)) : []
  const all = [...facts, ...rows]
  if (before && all.length === 0) return before
  const state = journal.append(all, nowOf(job), besides)
  job.isNew = before === null
  // The row of this entry waits for no earlier one.
  roster.waits.delete('row')
  setAlarm(roster)
  ctx.waitUntil(performDue(roster))
  return state
}

/** Returns the job to report now; null for a report that is not due, or during another try. */
export function toReport(job: OwnJob, revision: number): State | null {
  const state = job.journal.read()
  const isDue = state?.report?.state === 'due' && state.report.revision === revision
  if (!isDue || nowOf(job) < job.tryUntil) return null
  job.tryUntil = nowOf(job) + LONGEST_TRY
  return state
}

/** Records the notifications that were set aside while the journal could not be read. A fault of one keeps it. */
export function takeAside(job: OwnJob): void {
  job.journal.takeAside((fact) => {
    try {
      if (fact.is === 'notified') tell(job, { do: 'record-notification', notified: fact })
      return true
    } catch (error) {
      log.fault('alarm.failed', error, { job: job.ctx.id.name })
      return false
    }
  })
}
