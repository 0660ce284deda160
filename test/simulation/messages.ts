import { consumeJobIndex } from '../../src/queues/job-index.ts'
import { consumeDeadReports } from '../../src/queues/dead-reports.ts'
import { consumeReports } from '../../src/queues/reports.ts'
import { mollieNotifications } from '../support/psps/mollie-payment.ts'
import type { Carriage } from './commands.ts'
import { consume, handTo } from './queue.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

/** As wrangler.toml has them. */
const REPORT_TRIES = 10
const INDEX_TRIES = 100

export const deliverReport = async (world: World, pick: number, how: Carriage): Promise<void> => {
  const queue = world.platform.reports
  const message = queue.take(pick, how === 'twice')
  if (!message || how === 'lost') return
  const dead = (body: unknown) => handTo(consumeDeadReports, [body])
  await world.start(consume(queue, [message], consumeReports, { tries: REPORT_TRIES, dead }))
  world.seen.delete(message.body.job)
}

/** Index messages come in any order, and may come again; one that was accepted is not lost, as the platform promises. */
export const deliverIndex = async (world: World, newestFirst: boolean, how: Carriage): Promise<void> => {
  const queue = world.platform.index
  const messages = how === 'twice' ? [...queue.waiting] : queue.waiting.splice(0)
  if (messages.length === 0) return
  const batches = newestFirst ? messages.toReversed().map((message) => [message]) : [messages]
  // It is objects that crash while they send, and not the consumer, which may send a row anew.
  const { crash } = world.platform
  const { next } = crash
  crash.next = null
  for (const batch of batches) {
    await consume(queue, batch, consumeJobIndex, { tries: INDEX_TRIES, dead: async () => {} })
  }
  crash.next = next
}

/** Delivers every report message that is waiting now, once. */
export const deliverReports = async (world: World): Promise<void> => {
  for (let n = world.platform.reports.waiting.length; n > 0; n--) await deliverReport(world, 0, 'once')
}

/** A notification reaches the hub, once or twice, or gets lost. One that is not taken with a 2xx comes again. */
export const notify = async (world: World, pick: number, how: Carriage): Promise<void> => {
  const { notices } = world.psp
  const place = pick % Math.max(notices.length, 1)
  const payment = notices[place]
  if (how !== 'twice') notices.splice(place, 1)
  if (!payment || how === 'lost') return
  const { changes } = payment
  const deliver = async () => {
    const [notification] = mollieNotifications(payment)
    if (!notification?.url) throw new Violation(`payment ${payment.id} has no address to notify`)
    const { url, ...sent } = notification
    const response = await world.ask(new URL(url).pathname, { method: 'POST', ...sent })
    if (response.ok) payment.notified = Math.max(payment.notified, changes)
    else notices.push(payment)
  }
  await world.start(deliver())
}

export const notifyNewest = (world: World, how: Carriage): Promise<void> =>
  notify(world, Math.max(world.psp.notices.length - 1, 0), how)
