import { untilOf } from '../../src/job/core/state.ts'
import type { Overtaken } from './commands.ts'
import { accountOf, comeBack, payLate, shownPayment, visit } from './customer.ts'
import { deliverReport, notifyNewest } from './messages.ts'
import { type Payment, receivedBy } from './payments.ts'
import { placeOrder, repeatOrder } from './shop-client.ts'
import { moveTo, readObject, ringNext } from './time.ts'
import type { World } from './world.ts'

/** More alarms than the last pulls of a job need: a few a day for three days. */
const MOST_RINGS = 40

/** Lets money arrive for a job while an answer of the PSP or a report of the hub is on its way. */
export async function overtake(world: World, id: string, what: Overtaken): Promise<void> {
  if (!shownPayment(world, id)) return
  await OVERTAKES[what](world, id)
  world.late.release()
  await world.settle()
}

const OVERTAKES: Record<Overtaken, (world: World, id: string) => Promise<void>> = {
  async look(world, id) {
    world.psp.setFault('answers late', 1, accountOf(world, id))
    await world.start(comeBack(world, id, 1))
    payLate(world, id)
    await notifyNewest(world, 'once')
  },
  async end(world, id) {
    const payment = shownPayment(world, id)
    if (payment?.status === 'open') world.psp.setStatus(payment, 'expired')
    await OVERTAKES.look(world, id)
  },
  async 'last pull'(world, id) {
    for (let rings = 0; rings < 12; rings++) {
      const { job, alarm } = await readObject(world, id)
      if (job?.status !== 'PENDING' || alarm === null || alarm >= untilOf(job)) break
      await ringNext(world, id)
    }
    world.psp.setFault('answers late', 1, accountOf(world, id))
    await ringNext(world, id)
    payLate(world, id)
    await notifyNewest(world, 'lost')
  },
  async silence(world, id) {
    const name = accountOf(world, id)
    world.psp.setFault('cannot be reached', Infinity, name)
    for (let rings = 0; rings < MOST_RINGS; rings++) {
      const { job, alarm } = await readObject(world, id)
      if (job?.status !== 'PENDING' || alarm === null) break
      await ringNext(world, id)
    }
    world.psp.clearFaults(name)
    payLate(world, id)
    await notifyNewest(world, 'once')
  },
  async 'prompted question'(world, id) {
    payLate(world, id)
    await notifyNewest(world, 'once')
    const payment = shownPayment(world, id)
    if (!payment || receivedBy(payment) === 0) return
    // Right after an answer, a notification has to wait for the next question.
    for (let times = 0; times < 2; times++) await notifyOf(world, payment)
    world.psp.setFault('answers late', 1, accountOf(world, id))
    await ringNext(world, id)
    payment.chargedBack = receivedBy(payment)
    await notifyOf(world, payment)
    await moveTo(world, Date.now() + NOTIFICATION_PATIENCE)
  },
  async report(world, id) {
    const { waiting } = world.platform.reports
    const sendNext = async () => {
      const place = waiting.findIndex(({ body }) => body.job === id)
      if (place >= 0) await deliverReport(world, place, 'once')
    }
    world.shop.setFault('is reached late', 1)
    await sendNext()
    payLate(world, id)
    await notifyNewest(world, 'once')
    await sendNext()
  },
}

/** How long (ms) a notification waits for an answer of its PSP. */
const NOTIFICATION_PATIENCE = 5000

/** Sends a notification of a payment, whether it has changed or not. */
async function notifyOf(world: World, payment: Payment): Promise<void> {
  world.psp.noteChange(payment, { notifies: true, byHub: false })
  await notifyNewest(world, 'once')
}

/**
 * Makes the PSP answer an order late. Meanwhile the shop repeats the order, and the customer opens `payUrl`.
 */
export async function overtakeOrder(world: World): Promise<void> {
  world.psp.setFault('answers late', 1, world.route[0] ?? 'mollie')
  await placeOrder(world, {})
  // No PSP forgets a key within seconds, and an order for a terminal relies on that.
  if (world.psp.payments.every(({ atTerminal }) => atTerminal === null)) world.psp.forgetKeys()
  const order = world.orders.at(-1)
  if (order) await repeatOrder(world, order, false, false)
  const visits = () => Promise.all([...(order?.jobs ?? [])].map((id) => visit(world, id)))
  await world.start(visits())
  world.late.release()
  await world.settle()
  await world.start(visits())
}
