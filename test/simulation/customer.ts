import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { Outcome, PspFault } from './commands.ts'
import { type Payment, longestWay } from './payments.ts'
import type { PspStatus } from './played-psp.ts'
import { placeOrder } from './shop-client.ts'
import { inside, pass } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

const BECOMES: Record<Exclude<Outcome, 'leaves' | 'pays a part'>, PspStatus> = {
  pays: 'paid',
  cancels: 'canceled',
  fails: 'failed',
  'pays slowly': 'pending',
  'pays slowly, and in vain': 'pending',
  'has the money reserved': 'authorized',
}

function becomesBy({ isManual, at }: Payment, outcome: keyof typeof BECOMES): PspStatus {
  const becomes = BECOMES[outcome]
  return becomes === 'authorized' && at.reserves === 'never' && !isManual ? 'paid' : becomes
}

/** What a gift card pays. */
const PART = 500

/**
 * What a customer does on the PSP's page. Money that is under way takes so many days, and may
 * arrive without a word.
 */
type Deed = { outcome: Outcome; days: number; word: boolean }
const LEAVES: Deed = { outcome: 'leaves', days: 0, word: false }

/** Opens `payUrl`, and does something on the PSP's page where that leads there. */
export async function visit(world: World, id: string, { outcome, days, word }: Deed = LEAVES): Promise<void> {
  const known = world.traces.statusOf(id)
  const response = await world.ask(`/pay/${id}`)
  promise(response.status !== 404, `payUrl of the acknowledged job ${id} leads nowhere`)
  const url = response.headers.get('location')
  if (url === null) return
  promise(known !== 'SUCCESS', `the customer of ${id} was sent to pay what was known as paid`)
  const payment = world.psp.payments.find((candidate) => candidate.checkoutUrl === url)
  promise(payment?.job === id, `the customer of ${id} was sent to ${url}, which is no payment of that job`)
  const shown = world.shown.get(id) ?? new Set<string>()
  world.shown.set(id, shown.add(url))
  promise(
    shown.size === 1,
    `customers of ${id} were sent to more than one payment: ${[...shown].join(' and ')}`,
  )
  world.psp.tick()
  if (!payment || outcome === 'leaves') return
  if (outcome === 'cancels' && !payment.endsWhenCancelled) {
    world.cancelledThere.add(id)
    return
  }
  if (outcome === 'pays a part') {
    if (payment.status !== 'open' || !payment.payPart || payment.isManual) return
    payment.payPart(PART)
    return world.psp.changed(payment, { word, own: false })
  }
  const { reserves } = payment.at
  const becomes = becomesBy(payment, outcome)
  // A customer who is not sure yet may act once more, as at a bank that takes its time.
  if (payment.status !== 'open' && (payment.status !== 'pending' || becomes === 'pending')) return
  world.psp.becomes(payment, becomes)
  if (becomes === 'authorized' && reserves === 'until it is let go' && !payment.isManual)
    payment.ending = { at: Date.now() + longestWay(payment, 'authorized'), as: 'failed', word }
  if (becomes !== 'pending') return
  const at = Date.now() + Math.min(days * DAY, longestWay(payment))
  payment.ending = { at, as: outcome === 'pays slowly' ? 'paid' : 'failed', word }
}

/**
 * Orders while no account takes anything, and opens `payUrl` when all has worked for two minutes. The
 * order is offered then, whatever pause a PSP asked for.
 */
export async function insist(world: World, fault: PspFault): Promise<void> {
  if (world.late.anyHeld() || world.owed.length > 0 || world.access.isDisabled) return
  if (!world.route.some((name) => world.psp.takes(name))) return
  world.platform.mends()
  for (const name of world.route) world.psp.breaks(fault, Infinity, name)
  await placeOrder(world, {})
  const id = world.jobs.at(-1)
  world.psp.mends()
  await pass(world, 2 * MINUTE)
  if (id === undefined) return
  await visit(world, id)
  const { job } = await inside(world, id)
  promise(job?.standing.is !== 'unannounced', `the customer of ${id} cannot pay, though all is well`)
}

/** Money that comes although the payment was believed to be over, or was under way. */
export function payLate(world: World, id: string): void {
  const payment = shownPayment(world, id)
  if (payment && payment.status !== 'paid' && payment.status !== 'failed') comes(world, payment)
}

/** What is reserved already comes no second time. */
function comes(world: World, payment: Payment): void {
  if (!payment.reservation) world.psp.becomes(payment, 'paid')
}

/**
 * Money comes for a payment that no customer was sent to: an account made it, and its answer was
 * lost. Gives whether there is one.
 */
export function payElsewhere(world: World, id: string): boolean {
  const shown = shownPayment(world, id)
  const other = world.psp.of(id).find((payment) => payment !== shown && payment.status === 'open')
  if (shown && other) comes(world, other)
  return shown !== undefined && other !== undefined
}

/** The payment that customers of a job were sent to. */
export function shownPayment(world: World, id: string): Payment | undefined {
  return world.psp.payments.find(({ checkoutUrl }) => world.shown.get(id)?.has(checkoutUrl))
}

/** Comes back from the PSP: on to the shop, to a page that waits, or to payUrl. */
export async function comeBack(world: World, id: string, look: number): Promise<void> {
  const payment = shownPayment(world, id)
  const back = payment?.backTo(world.cancelledThere.has(id)) ?? `/return/${id}`
  const path = look === 1 ? back : `/return/${id}?look=${look}`
  const response = await world.ask(path)
  const known = [200, 303].includes(response.status) || response.status >= 500
  promise(known, `the customer who came back to ${path} got ${response.status}`)
}
