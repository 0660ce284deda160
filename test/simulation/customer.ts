import type { Outcome } from './commands.ts'
import type { Payment, PspStatus } from './psp.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

const BECOMES: Record<Exclude<Outcome, 'leaves'>, PspStatus> = {
  pays: 'paid',
  cancels: 'canceled',
  fails: 'failed',
  'is not sure yet': 'pending',
}

/** Opens `payUrl`, and does something on the PSP's page where that leads there. */
export const visit = async (world: World, id: string, outcome: Outcome): Promise<void> => {
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
  const mayAct = payment.status === 'open' || (payment.status === 'pending' && outcome !== 'is not sure yet')
  if (mayAct) await move(world, payment, BECOMES[outcome])
}

/** Money that comes although the payment was believed to be over, or was not sure yet. */
export const payLate = async (world: World, id: string): Promise<void> => {
  const payment = shownPayment(world, id)
  if (payment && payment.status !== 'paid' && payment.status !== 'failed') await move(world, payment, 'paid')
}

/** The payment that customers of a job were sent to. */
export const shownPayment = (world: World, id: string): Payment | undefined =>
  world.psp.payments.find(({ checkoutUrl }) => world.shown.get(id)?.has(checkoutUrl))

/** Notes how the job stood when money came: that decides what the hub must do. An answer under way may tell it of an end. */
const move = async (world: World, payment: Payment, status: PspStatus): Promise<void> => {
  const isOver = payment.status === 'expired' || payment.status === 'canceled'
  world.psp.becomes(payment, status)
  if (status !== 'paid') return
  const job = await world.platform.objectOf(payment.job).read()
  payment.paidWhile = isOver && world.late.anyHeld() ? 'an answer was under way' : (job?.status ?? 'unknown')
}

/** Comes back from the PSP: on to the shop, to a page that waits, or to payUrl. */
export const comeBack = async (world: World, id: string, look: number): Promise<void> => {
  const [payment] = world.psp.of(id)
  const path = payment ? new URL(payment.request.redirectUrl).pathname : `/return/${id}`
  const response = await world.ask(look === 1 ? path : `${path}?look=${look}`)
  const known = [200, 303].includes(response.status) || response.status >= 500
  promise(known, `the customer who came back to ${path} got ${response.status}`)
}
