import { MINUTE } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { moveSandboxPayment, sandboxPaymentOf } from '../psp/sandbox/adapter.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { announceAgain, lookAt } from './account-calls.ts'
import { askInTime } from './ask-psp.ts'
import { sendAgain, sendByHub } from './carry-out.ts'
import { AT_A_SWEEP } from './core/alarm.ts'
import type { Duty } from './core/duties.ts'
import { reportName } from './core/duty-names.ts'
import { rowDigest, rowOf } from './core/row.ts'
import type { State } from './core/state.ts'
import { alarmIs, isUnderWay, pendingDuties } from './duty-roster.ts'
import { sendPurged, sendReport, sendRow } from './messages.ts'
import { type OwnJob, append, nowOf, tell } from './own-job.ts'
import { purgeStorage } from './tombstone.ts'

/** How long (ms) a report may be with the queue and the receiver before it counts as lost. */
const REPORT_LEASE = MINUTE / 2

type Performer<Name extends Duty['do']> = (
  job: OwnJob,
  state: State,
  duty: Duty<Name>,
) => Promise<number | void>

/** Each duty's performer. If a queue took the duty over, it returns when (ms) to consider that lost. */
const PERFORMERS: { [Name in Duty['do']]: Performer<Name> } = {
  announce,
  expire: async (job) => void tell(job, { do: 'expire' }),
  ask: (job, _, { payment }) => askInTime(job, payment),
  stop: (job, _, { payment }) => askInTime(job, payment),
  capture: sendByHub,
  release: sendByHub,
  instruct: sendAgain,
  look,
  report,
  row: tellIndex,
  'move-clock': moveClock,
  erase: async (job) => job.journal.erase(),
  purge,
}

/** Does one duty. Throws for a fault of the hub; the duty then stays. */
export async function perform<Name extends Duty['do']>(job: OwnJob, duty: Duty<Name>) {
  const state = job.journal.read()
  return state ? PERFORMERS[duty.do](job, state, duty) : undefined
}

async function announce(job: OwnJob, state: State, { isWanted }: Duty<'announce'>): Promise<void> {
  // If memory was lost, this counts as a second announcement.
  const isFirst = job.isNew && state.attempts.length === 0
  job.isNew = false
  const attempts = await announceAgain(job.env, state, { now: isWanted ? Infinity : nowOf(job), isFirst })
  tell(job, { do: 'record-attempts', attempts })
}

async function look(job: OwnJob, state: State, duty: Duty<'look'>): Promise<void> {
  tell(job, { do: 'record-attempts', attempts: [await lookAt(job.env, state, duty)] })
}

async function report(job: OwnJob, state: State, { revision }: Duty<'report'>): Promise<number> {
  await sendReport(job.env, state, revision)
  return nowOf(job) + REPORT_LEASE
}

/**
 * Sends the row to the index queue, and records that. While a report is on its way, the entry of
 * that try records the row too, which saves a write.
 */
async function tellIndex(job: OwnJob, state: State): Promise<number | void> {
  const digest = rowDigest(state)
  if (job.rowSent?.digest !== digest) {
    job.unsureSince = state.index.written
    await sendRow(job.env, state)
    job.rowSent = { entry: state.entry.number, digest }
    if (isUnderWay(job.roster, reportName(state.revision))) return nowOf(job) + REPORT_LEASE
  }
  append(job, [])
}

/** Moves a test job's clock to its next duty, or to the next change of its sandbox payment. */
async function moveClock(job: OwnJob, { id, clock, payments: [payment] }: State): Promise<void> {
  const { env, roster } = job
  // The sandbox may have a payment of which the hub does not know yet.
  const { account, reference } = payment ?? {
    account: SANDBOX_ACCOUNT.id,
    reference: await sandboxPaymentOf(env, id),
  }
  const isSandbox = account === SANDBOX_ACCOUNT.id
  const change = isSandbox ? await moveSandboxPayment(env, reference, clock) : Infinity
  const times = pendingDuties(roster).flatMap(({ duty }) =>
    duty.do === 'move-clock' || AT_A_SWEEP.has(duty.do) ? [] : [duty.at],
  )
  const moved = tell(job, { do: 'move-clock', next: Math.min(change, ...times) })
  // The sandbox then answers by the time that the job has reached.
  if (isSandbox) await moveSandboxPayment(env, reference, moved.clock)
}

/** Deletes the job once the index queue has the message, unless the job has changed meanwhile. */
async function purge(job: OwnJob, state: State): Promise<void> {
  const { ctx, env, journal, questions, roster, watchers } = job
  if (!questions.isIdle()) return
  await sendPurged(env, rowOf(state))
  if (journal.read()?.entry.number !== state.entry.number || !questions.isIdle()) return
  journal.forget()
  watchers.end()
  alarmIs(roster, null)
  job.rowSent = null
  job.unsureSince = undefined
  await purgeStorage(ctx.storage, state, Date.now())
  log.info('job.purged', { job: state.id, pos: state.pos })
}
