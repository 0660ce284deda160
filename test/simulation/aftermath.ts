import { type Duty, duties } from '../../src/job/core/duties.ts'
import { isIndexed } from '../../src/job/core/row.ts'
import { APART } from '../../src/job/core/schedule.ts'
import { isPending, untilOf } from '../../src/job/core/state.ts'
import { RETENTION, type Stored } from '../support/job.ts'
import { deliverCopies, deliverIndex, deliverReport, notify, sweep } from './messages.ts'
import { finishChanges } from './operator.ts'
import { repeatOrder } from './shop-client.ts'
import { askAgain } from './shop-instructions.ts'
import { type Inside, inside, moveTo, ring } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** More alarms than any job needs for the rest of its life. */
const MOST_RINGS = 200

/** No schedule of the hub pauses for longer (ms); one of a day may be spread by a tenth. */
const LONGEST_SLEEP = 27 * 3_600_000
/** A job that has ended is looked at more and more seldom (ms). */
const LONGEST_SLEEP_AFTER_END = 35 * 24 * 3_600_000

/**
 * Faults end, and time passes until nothing is waiting any more. Gives what then is inside the
 * objects.
 */
export async function settleAll(world: World): Promise<Inside[]> {
  world.psp.mends()
  world.shop.mends()
  world.platform.mends()
  await world.finish()
  world.confess()
  await deliverCopies(world)
  await finishChanges(world)
  await deliverCopies(world)
  world.confess()
  await wakeAll(world)
  for (const order of world.orders) {
    await repeatOrder(world, order, false, false)
    promise(
      order.key === null || order.jobs.size === 1,
      `a retry of order ${order.number} was never acknowledged`,
    )
  }
  for (const wanted of world.wanted) await askAgain(world, wanted, false)
  for (let rings = 0; ; rings++) {
    await runAll(world)
    await world.rested()
    world.confess()
    const all = await Promise.all(world.ids().map((id) => inside(world, id)))
    const busy = all.filter(({ job }) => job !== null && owedBy(job).length > 0)
    const given = busy.length === 0 ? all.filter(({ job }) => job?.report?.state === 'given-up') : []
    for (const { id } of given) {
      await world.platform.objectOf(id).tell({ do: 'send-report-again' })
      world.seen.delete(id)
    }
    const { reports, index } = world.platform
    const isQuiet = busy.length + given.length === 0
    // An object may have sent a message since the queues were empty.
    if (isQuiet && reports.waiting.length + index.waiting.length === 0) return all
    promise(
      rings < MOST_RINGS * all.length,
      `it never ends: ${busy.map(({ job }) => unsettled(job)).join('; ')}`,
    )
    const sleeper = busy.find(({ alarm }) => alarm === null)
    promise(sleeper === undefined, `no alarm is set for ${unsettled(sleeper?.job ?? null)}`)
    const late = busy.find(({ job, alarm }) => (alarm ?? 0) > Date.now() + longestSleep(job))
    promise(late === undefined, `the alarm rings too late for ${unsettled(late?.job ?? null)}`)
    const next = busy.toSorted((a, b) => whenTo(a) - whenTo(b))[0]
    if (!next) continue
    await moveTo(world, whenTo(next))
    await ring(world, next.id)
  }
}

/**
 * Alarms that the platform has given up are set again once their jobs are looked at, by a sweep or
 * by anybody.
 */
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
 * When to ring next. That alarms ring at their times is part of the schedules; here an open job's
 * ring when it ends.
 */
function whenTo({ job, alarm }: Inside): number {
  const isWritten = job !== null && isIndexed(job)
  return Math.max(alarm ?? 0, isWritten && isPending(job) ? untilOf(job) : 0)
}

/** Runs queues and notifications for as long as there is anything in them. */
async function runAll(world: World): Promise<void> {
  const { reports, index } = world.platform
  world.psp.repeat()
  for (
    let rounds = 0;
    reports.waiting.length + index.waiting.length + world.psp.notices.length > 0;
    rounds++
  ) {
    promise(rounds < MOST_RINGS, 'queues or notifications never come to an end')
    if (reports.waiting.length > 0) await deliverReport(world, 0, 'once')
    if (world.psp.notices.length > 0) {
      // The PSP pauses before it notifies again: the hub asks it no sooner.
      await moveTo(world, Date.now() + APART)
      await notify(world, 0, 'once')
    }
    if (reports.waiting.length === 0 && index.waiting.length > 0) await deliverIndex(world, false, 'once')
  }
}

/** What the hub owes yet of a job, but for its purge. */
function owedBy(job: Stored): Duty[] {
  return duties(job, Date.now() + job.clock.offset, RETENTION).filter((duty) => duty.do !== 'purge')
}

function unsettled(job: Stored | null): string {
  if (job === null) return 'nothing'
  const owed = owedBy(job).map((duty) => `${duty.do} at ${new Date(duty.at).toISOString()}`)
  return `${job.id}, which is ${job.status}, and owes ${owed.join(', ')}`
}
