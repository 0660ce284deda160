import { DAY } from '../../src/contract/timestamp.ts'
import { isIndexed } from '../../src/job/core/row.ts'
import { APART } from '../../src/job/core/schedule.ts'
import { isUnderWay } from '../../src/job/core/payment.ts'
import { isPending, untilOf } from '../../src/job/core/state.ts'
import type { Stored } from '../support/jobs/job.ts'
import { isCutOff, keepLively } from './liveness-promises.ts'
import { deliverCopies, deliverIndex, deliverReport, notify, sweep } from './messages.ts'
import { finishChanges } from './operator.ts'
import { isTakeable, repeatOrder } from './shop-client.ts'
import { repeatInstruction } from './shop-instructions.ts'
import { type ObjectReading, readObject, moveTo, ring } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** More alarms than any job needs for the rest of its life. */
const MOST_RINGS = 200

/** The longest pause in any schedule of the hub (ms): a day, a tenth of random spread, and a tenth before an end. */
const LONGEST_SLEEP = 29 * 3_600_000
/** The same after a job's end (ms): an instruction that no list shows ends after ninety days. */
const LONGEST_SLEEP_AFTER_END = 91 * 24 * 3_600_000

/** How late (ms) alarms ring of a job whose account is gone: the hub would ask hourly for a week, all in vain. */
const RESTS_IF_CUT_OFF = 2 * DAY

/** Ends all faults, and lets time pass until no job has a duty left. Returns the state of each object. */
export async function settleAll(world: World): Promise<ObjectReading[]> {
  world.psp.clearFaults()
  world.psp.connectTerminals()
  world.shop.clearFaults()
  world.platform.clearFaults()
  await world.finish()
  world.throwViolation()
  await deliverCopies(world)
  await finishChanges(world)
  await deliverCopies(world)
  world.throwViolation()
  await wakeAll(world)
  for (const order of world.orders) {
    await repeatOrder(world, order, false, false)
    promise(
      order.key === null || order.jobs.size === 1 || !isTakeable(world, order),
      `a retry of order ${order.number} was never acknowledged`,
    )
  }
  for (const wanted of world.instructionRequests) await repeatInstruction(world, wanted, false)
  const checkLively = keepLively(world.psp, Date.now())
  for (let rings = 0; ; rings++) {
    await runAll(world)
    await world.idle()
    world.throwViolation()
    const all = await Promise.all(world.ids().map((id) => readObject(world, id)))
    const busy = all.filter(({ owed }) => owed.length > 0)
    for (const { job } of busy) if (job) checkLively(job)
    const given = busy.length === 0 ? all.filter(({ job }) => job?.report?.state === 'given-up') : []
    for (const { id } of given) {
      await world.platform.objectOf(id).tell({ do: 'send-report-again' })
      world.seen.delete(id)
    }
    const { reports, index } = world.platform
    const isQuiet = busy.length + given.length === 0
    // An object may have sent a message since the queues were empty.
    if (isQuiet && reports.waiting.length + index.waiting.length === 0) return all
    promise(rings < MOST_RINGS * all.length, `it never ends: ${busy.map(unsettled).join('; ')}`)
    const sleeper = busy.find(({ alarm }) => alarm === null)
    // A PSP's terminal may need a moment, for which the hub waits without an alarm.
    if (sleeper && world.firstEnd() < Infinity) {
      await world.loseFirstPatience()
      continue
    }
    promise(sleeper === undefined, `no alarm is set for ${sleeper && unsettled(sleeper)}`)
    const late = busy.find(({ job, alarm }) => (alarm ?? 0) > Date.now() + longestSleep(job))
    promise(late === undefined, `the alarm rings too late for ${late && unsettled(late)}`)
    const next = busy.toSorted((a, b) => whenTo(world, a) - whenTo(world, b) || dueAt(a) - dueAt(b))[0]
    if (!next) continue
    await moveTo(world, whenTo(world, next))
    await ring(world, next.id)
  }
}

/** Makes each job set the alarm that the platform lost: a sweep does, and so does any call of its object. */
async function wakeAll(world: World): Promise<void> {
  if (world.lost.alarms.size === 0) return
  await runAll(world)
  await sweep(world)
  for (const id of world.lost.alarms) await world.platform.objectOf(id).wake()
  await world.settle()
}

function longestSleep(job: Stored | null): number {
  return job && !isPending(job) ? LONGEST_SLEEP_AFTER_END : LONGEST_SLEEP
}

/**
 * Returns when (ms) to ring next. The schedules test that alarms ring on time; here an open job waits for its
 * end, unless an instruction has to end before. At a terminal all alarms ring on time, because a cashier waits.
 */
function whenTo(world: World, { job, alarm }: ObjectReading): number {
  const at = alarm ?? 0
  if (!job || (job.order.terminal && isPending(job))) return at
  if (isCutOff(world.psp, job)) return Math.max(at, Date.now() + RESTS_IF_CUT_OFF)
  const mayWait = isIndexed(job) && isPending(job) && !job.instructions.some(isUnderWay)
  return mayWait ? Math.max(at, untilOf(job)) : at
}

/** Returns since when (ms) an object has had something to do. Its alarm moves on each time it is read too late. */
function dueAt({ owed }: ObjectReading): number {
  return Math.min(...owed.map(({ at }) => at))
}

/** Delivers messages and notifications until none is left. */
async function runAll(world: World): Promise<void> {
  const { reports, index } = world.platform
  world.psp.repeat()
  for (
    let rounds = 0;
    reports.waiting.length + index.waiting.length + world.psp.notices.length > 0;
    rounds++
  ) {
    promise(rounds < MOST_RINGS, 'queues or notifications never end')
    if (reports.waiting.length > 0) await deliverReport(world, 0, 'once')
    if (world.psp.notices.length > 0) {
      // The hub asks a PSP about a payment no sooner than this after its last question.
      await moveTo(world, Date.now() + APART)
      await notify(world, 0, 'once')
    }
    if (reports.waiting.length === 0 && index.waiting.length > 0) await deliverIndex(world, false, 'once')
  }
}

function unsettled({ id, job, owed }: ObjectReading): string {
  const duties = owed.map((duty) => `${duty.do} at ${new Date(duty.at).toISOString()}`)
  return `${id}, which is ${job?.status}, and owes ${duties.join(', ')}`
}
