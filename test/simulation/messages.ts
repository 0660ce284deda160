import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import { consumeSweeps, startSweeps } from '../../src/job-index/sweeps.ts'
import { indexMessage } from '../../src/job/messages.ts'
import { consumeDeadReports, consumeReports } from '../../src/reports/report-delivery.ts'
import { consumeCopies } from '../../src/registry/publish-after.ts'
import { ORIGIN } from '../support/hub/hub.ts'
import type { Delivery } from './commands.ts'
import { consume, handTo } from './queue.ts'
import type { World } from './world.ts'

/** The retries in wrangler.toml. */
const REPORT_TRIES = 10
const INDEX_TRIES = 100

export async function deliverReport(world: World, pick: number, how: Delivery): Promise<void> {
  const queue = world.platform.reports
  const message = queue.take(pick, how === 'twice')
  if (!message || how === 'lost') return
  const dead = (body: unknown) => handTo(world.env, consumeDeadReports, [body])
  await world.start(consume(world.env, queue, [message], consumeReports, { tries: REPORT_TRIES, dead }))
  world.seen.delete(message.body.job)
}

/**
 * Delivers index messages, in any order and perhaps twice. As the platform promises, it loses none that it
 * accepted.
 */
export async function deliverIndex(world: World, newestFirst: boolean, how: Delivery): Promise<void> {
  const queue = world.platform.index
  const messages = how === 'twice' ? [...queue.waiting] : queue.waiting.splice(0)
  if (messages.length === 0) return
  const batches = newestFirst ? messages.toReversed().map((message) => [message]) : [messages]
  // Only objects crash while sending: this consumer, which may send a row again, does not.
  const { crash } = world.platform
  const { next } = crash
  crash.next = null
  for (const batch of batches) {
    await consume(world.env, queue, batch, consumeJobIndex, { tries: INDEX_TRIES, dead: async () => {} })
  }
  crash.next = next
}

/** Delivers the messages that write each copy in KV once more, from D1. */
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
 * Delivers a notification once, twice, the newest of several first, or never. It comes again unless the hub
 * answers with a 2xx.
 */
export async function notify(world: World, pick: number, how: Delivery): Promise<void> {
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

export function notifyNewest(world: World, how: Delivery): Promise<void> {
  return notify(world, Math.max(world.psp.notices.length - 1, 0), how)
}

/** Loses index messages, except those that add a job to the directory: without them nobody could find it. */
export async function loseRows({ platform: { index }, lost }: World): Promise<void> {
  const isKept = ({ body }: { body: unknown }): boolean => {
    const read = indexMessage.read(body)
    return !read.ok || !('row' in read.value) || !read.value.listed
  }
  const kept = index.waiting.filter(isKept)
  lost.rows ||= kept.length < index.waiting.length
  index.waiting.splice(0, Infinity, ...kept)
}

/** Runs this hour's sweeps, and delivers their messages. */
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
