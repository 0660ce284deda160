import { type Job, isFinal, waitsUntil } from '../../src/job/rules/job.ts'
import { nextOtherLook } from '../../src/job/rules/other-payments.ts'
import { PULLS_APART } from '../../src/job/rules/pull-turn.ts'
import { nextRefundCheck } from '../../src/job/rules/refund-request.ts'
import { deliverCopies, deliverIndex, deliverReport, notify, sweep } from './messages.ts'
import { finishChanges } from './operator.ts'
import { repeatOrder } from './shop-client.ts'
import { repeatRefund } from './shop-refunds.ts'
import { type Inside, inside, moveTo, ring } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** More alarms than any job needs for the rest of its life. */
const MOST_RINGS = 100

/** No schedule of the hub pauses for longer (ms); one of a day may be spread by a tenth. */
const LONGEST_SLEEP = 27 * 3_600_000
/** A job that has ended is looked at more and more seldom (ms). */
const LONGEST_SLEEP_AFTER_END = 17 * 24 * 3_600_000

/** Faults end, and time passes until nothing is waiting any more. Gives what then is inside the objects. */
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
  for (const wanted of world.wanted) await repeatRefund(world, wanted, false)
  for (let rings = 0; ; rings++) {
    await runAll(world)
    await world.pulled()
    world.confess()
    const all = await Promise.all(world.ids().map((id) => inside(world, id)))
    const busy = all.filter(({ job, alarm }) => job !== null && !isSettled(job, alarm))
    const given = busy.length === 0 ? all.filter(({ job }) => job?.reports.at(-1)?.state === 'dead') : []
    for (const { id } of given) {
      await world.platform.objectOf(id).resend()
      world.seen.delete(id)
    }
    if (busy.length + given.length === 0) return all
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

/** Alarms that the platform has given up are set again once their jobs are looked at, by a sweep or by anybody. */
async function wakeAll(world: World): Promise<void> {
  if (world.lost.alarms.size === 0) return
  await runAll(world)
  await sweep(world)
  for (const id of world.lost.alarms) await world.platform.objectOf(id).wake()
  await world.settle()
}

function longestSleep(job: Job | null): number {
  return job && isFinal(job.status) ? LONGEST_SLEEP_AFTER_END : LONGEST_SLEEP
}

/** When to ring next. That alarms ring at their times is part of the schedules; here an open job's ring when it ends. */
function whenTo({ job, alarm }: Inside): number {
  return Math.max(alarm ?? 0, job?.status === 'PENDING' && job.indexAt === null ? waitsUntil(job) : 0)
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
      await moveTo(world, Date.now() + PULLS_APART)
      await notify(world, 0, 'once')
    }
    if (reports.waiting.length === 0 && index.waiting.length > 0) await deliverIndex(world, false, 'once')
  }
}

/**
 * A job with nothing left to do: it has ended, and no pull, refund, report or row is pending. That the queue has taken a row is
 * saved with the next change: an object that lost its memory since believes that it owes the row, and has no alarm for it, or one no
 * sooner than for its purge. Whether the row is there is looked at in the end.
 */
function isSettled(job: Job, alarm: number | null): boolean {
  return (
    isFinal(job.status) &&
    job.pullAt === null &&
    nextRefundCheck(job) === null &&
    nextOtherLook(job) === null &&
    (job.indexAt === null || (alarm ?? Infinity) > Date.now() + LONGEST_SLEEP_AFTER_END) &&
    job.flight === null &&
    job.reports.every(({ state }) => state !== 'waiting')
  )
}

function unsettled(job: Job | null): string {
  if (job === null) return 'nothing'
  const waits = [
    ...(job.indexAt === null ? [] : ['owes its row']),
    ...(job.flight ? ['has a report under way'] : []),
    ...(job.pullAt === null ? [] : [`is pulled at ${new Date(job.pullAt).toISOString()}`]),
    ...(nextRefundCheck(job) === null ? [] : ['looks for a refund']),
    ...(nextOtherLook(job) === null ? [] : ['looks at payments of other accounts']),
  ]
  return `${job.id}, which is ${[job.status, ...waits].join(', ')}`
}
