import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import { consumeSweeps, startSweeps } from '../../src/job-index/sweeps.ts'
import { indexMessage } from '../../src/job/messages.ts'
import { consumeDeadReports, consumeReports } from '../../src/reports/report-delivery.ts'
import { consumeCopies } from '../../src/registry/publish-after.ts'
import { ORIGIN } from '../support/hub.ts'
import type { Carriage } from './commands.ts'
import { consume, handTo } from './queue.ts'
import type { World } from './world.ts'

/** As wrangler.toml has them. */
const REPORT_TRIES = 10
const INDEX_TRIES = 100

export async function deliverReport(world: World, pick: number, how: Carriage): Promise<void> {
  const queue = world.platform.reports
  const message = queue.take(pick, how === 'twice')
  if (!message || how === 'lost') return
  const dead = (body: unknown) => handTo(world.env, consumeDeadReports, [body])
  await world.start(consume(world.env, queue, [message], consumeReports, { tries: REPORT_TRIES, dead }))
  world.seen.delete(message.body.job)
}

/**
 * Index messages come in any order, and may come again; one that was accepted is not lost, as the
 * platform promises.
 */
export async function deliverIndex(world: World, newestFirst: boolean, how: Carriage): Promise<void> {
  const queue = world.platform.index
  const messages = how === 'twice' ? [...queue.waiting] : queue.waiting.splice(0)
  if (messages.length === 0) return
  const batches = newestFirst ? messages.toReversed().map((message) => [message]) : [messages]
  // It is objects that crash while they send, and not the consumer, which may send a row anew.
  const { crash } = world.platform
  const { next } = crash
  crash.next = null
  for (const batch of batches) {
    await consume(world.env, queue, batch, consumeJobIndex, { tries: INDEX_TRIES, dead: async () => {} })
  }
  crash.next = next
}

/** The second look at copies in KV: each is written anew from D1. */
export async function deliverCopies(world: World): Promise<void> {
  const queue = world.platform.copies
  for (let n = queue.waiting.length; n > 0; n--) {
    const message = queue.take(0, false)
    const tries = { tries: INDEX_TRIES, dead: async () => {} }
    if (message) await world.start(consume(world.env, queue, [message], consumeCopies, tries))
  }
}

/** Delivers every report message that is waiting now, once. */
export async function deliverReports(world: World): Promise<void> {
  for (let n = world.platform.reports.waiting.length; n > 0; n--) await deliverReport(world, 0, 'once')
}

/**
 * A notification reaches the hub, once or twice, the newest of several first, or gets lost. One that is not taken with a 2xx
 * comes again.
 */
export async function notify(world: World, pick: number, how: Carriage): Promise<void> {
  const { notices } = world.psp
  const place = pick % Math.max(notices.length, 1)
  const payment = notices[place]
  if (how !== 'twice') notices.splice(place, 1)
  if (!payment || how === 'lost') return
  const { changes } = payment
  const deliver = async () => {
    const account = `/notifications/${payment.account}`
    let isTaken = true
    const sentNow = await payment.at.notifications(payment)
    for (const { url, ...sent } of how === 'backwards' ? sentNow.toReversed() : sentNow) {
      const at = new URL(url ?? account, ORIGIN)
      const path = at.pathname + at.search
      const response = await world.ask(path, { method: 'POST', ...sent })
      isTaken &&= response.ok
    }
    if (isTaken) payment.notified = Math.max(payment.notified, changes)
    else notices.push(payment)
  }
  await world.start(deliver())
}

export function notifyNewest(world: World, how: Carriage): Promise<void> {
  return notify(world, Math.max(world.psp.notices.length - 1, 0), how)
}

/**
 * Index messages are lost, but for those by which the directory is to get a job: without it nobody
 * could find the job.
 */
export async function loseRows({ platform: { index }, lost }: World): Promise<void> {
  const isKept = ({ body }: { body: unknown }): boolean => {
    const read = indexMessage.read(body)
    return !read.ok || !('row' in read.value) || !read.value.listed
  }
  const kept = index.waiting.filter(isKept)
  lost.rows ||= kept.length < index.waiting.length
  index.waiting.splice(0, Infinity, ...kept)
}

/** The sweeps of this hour, and what they send. */
export async function sweep(world: World): Promise<void> {
  await startSweeps(world.env, Date.now())
  await deliverSweeps(world)
}

async function deliverSweeps(world: World): Promise<void> {
  const { sweeps } = world.platform
  for (let rounds = 0; sweeps.waiting.length > 0 && rounds < INDEX_TRIES; rounds++) {
    const message = sweeps.take(0, false)
    if (!message) return
    await world.start(
      consume(world.env, sweeps, [message], consumeSweeps, { tries: INDEX_TRIES, dead: async () => {} }),
    )
  }
  world.seen.clear()
}
