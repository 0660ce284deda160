import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { Outcome, PspFault } from './commands.ts'
import { type Payment, longestWay } from './payments.ts'
import type { PspStatus } from './played-psp.ts'
import { placeOrder } from './shop-client.ts'
import { readObject, pass } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

const STATUS_AFTER: Record<Exclude<Outcome, 'leaves' | 'pays a part'>, PspStatus> = {
  pays: 'paid',
  cancels: 'canceled',
  fails: 'failed',
  'pays slowly': 'pending',
  'pays slowly, and in vain': 'pending',
  'has the money reserved': 'authorized',
}

function statusAfter({ isManual, at }: Payment, outcome: keyof typeof STATUS_AFTER): PspStatus {
  const status = STATUS_AFTER[outcome]
  return status === 'authorized' && at.reserves === 'never' && !isManual ? 'paid' : status
}

/** The amount on a gift card (minor units). */
const PART = 500

/**
 * What a customer does on the PSP's page. `days`: how long pending money takes. `notifies`: the PSP notifies
 * the hub of its outcome.
 */
type Deed = { outcome: Outcome; days: number; notifies: boolean }
const LEAVES: Deed = { outcome: 'leaves', days: 0, notifies: false }

/** Opens `payUrl`, and acts on the PSP's page if the hub redirects there. */
export async function visit(
  world: World,
  id: string,
  { outcome, days, notifies }: Deed = LEAVES,
): Promise<void> {
  const known = world.traces.statusOf(id)
  const response = await world.ask(`/pay/${id}`)
  promise(response.status !== 404, `payUrl of the acknowledged job ${id} was answered with a 404`)
  const url = response.headers.get('location')
  if (url === null) return
  promise(known !== 'SUCCESS', `the customer of ${id} was sent to pay a second time`)
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
    return world.psp.noteChange(payment, { notifies, byHub: false })
  }
  const { reserves } = payment.at
  const status = statusAfter(payment, outcome)
  // While a payment is pending, as at a slow bank, the customer may still decide otherwise.
  if (payment.status !== 'open' && (payment.status !== 'pending' || status === 'pending')) return
  world.psp.setStatus(payment, status)
  if (status === 'authorized' && reserves === 'until it is let go' && !payment.isManual)
    payment.ending = { at: Date.now() + longestWay(payment, 'authorized'), as: 'failed', notifies }
  if (status !== 'pending') return
  const at = Date.now() + Math.min(days * DAY, longestWay(payment))
  payment.ending = { at, as: outcome === 'pays slowly' ? 'paid' : 'failed', notifies }
}

/** How long (ms) a customer waits before they press "try again" on the page that says that the PSP is away. */
const TRIES_AGAIN_AFTER = 3000

/**
 * Orders while every account fails, and opens `payUrl` two minutes after all work again. By then the hub
 * announces the order, whatever pause a PSP asked for: at once, or when the customer tries again. An account that
 * had too many requests gets one a second, which may have been about another order.
 */
export async function insist(world: World, fault: PspFault): Promise<void> {
  if (world.late.anyHeld() || world.failedChanges.length > 0 || world.access.isDisabled) return
  if (!world.route.some((name) => world.psp.takes(name))) return
  world.platform.clearFaults()
  for (const name of world.route) world.psp.setFault(fault, Infinity, name)
  await placeOrder(world, {})
  const id = world.jobs.at(-1)
  world.psp.clearFaults()
  await pass(world, 2 * MINUTE)
  if (id === undefined) return
  const isAnnounced = async () => {
    await visit(world, id)
    return (await readObject(world, id)).job?.standing.is !== 'unannounced'
  }
  if (await isAnnounced()) return
  await pass(world, TRIES_AGAIN_AFTER)
  promise(await isAnnounced(), `the customer of ${id} cannot pay, though all is well`)
}

/** Pays a payment that seemed to be over, or whose money is under way. */
export function payLate(world: World, id: string): void {
  const payment = shownPayment(world, id)
  if (payment && payment.status !== 'paid' && payment.status !== 'failed') payOnce(world, payment)
}

/** Pays a payment, unless its money is already reserved. */
function payOnce(world: World, payment: Payment): void {
  if (!payment.reservation) world.psp.setStatus(payment, 'paid')
}

/**
 * Pays a payment that no customer was sent to: an account created it, but its answer was lost. Returns
 * whether there is one.
 */
export function payElsewhere(world: World, id: string): boolean {
  const shown = shownPayment(world, id)
  const other = world.psp.of(id).find((payment) => payment !== shown && payment.status === 'open')
  if (shown && other) payOnce(world, other)
  return shown !== undefined && other !== undefined
}

/** Returns the payment that a job's customers were sent to. */
export function shownPayment(world: World, id: string): Payment | undefined {
  return world.psp.payments.find(({ checkoutUrl }) => world.shown.get(id)?.has(checkoutUrl))
}

/** Returns the simulation's name of the account at which a job's customers pay. */
export function accountOf(world: World, id: string): string {
  return shownPayment(world, id)?.at.name ?? 'mollie'
}

/** Brings the customer back from the PSP: to the shop, to a page that waits, or to `payUrl`. */
export async function comeBack(world: World, id: string, look: number): Promise<void> {
  const payment = shownPayment(world, id)
  const back = payment?.returnPath(world.cancelledThere.has(id)) ?? `/return/${id}`
  const path = look === 1 ? back : `/return/${id}?look=${look}`
  const response = await world.ask(path)
  const known = [200, 303].includes(response.status) || response.status >= 500
  promise(known, `the customer who came back to ${path} got ${response.status}`)
}
