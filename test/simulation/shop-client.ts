import { type JobJson, order as body } from '../support/hub/hub.ts'
import { AMOUNT, written } from './amounts.ts'
import type { OrderKind } from './commands.ts'
import { promise } from './violation.ts'
import type { Order, World } from './world.ts'

function ask(world: World, order: Order, amount: number): Promise<Response> {
  return world.askAsShop('/v2/paymentjobs', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(order.key === null ? {} : { 'idempotency-key': order.key }),
    },
    body: JSON.stringify({
      ...body,
      report_url: world.reportUrl,
      currency: world.currency,
      amount: written(amount, world.currency),
      order_number: order.number,
      payment_method: order.method,
      ...(order.isManual ? { capture: 'manual' } : {}),
      ...(order.terminal ? { terminal: order.terminal } : {}),
    }),
  })
}

async function post(world: World, order: Order, amount: number): Promise<void> {
  const response = await ask(world, order, amount)
  if (response.status >= 500) return
  if (amount !== order.amount) {
    promise(response.status === 422, `a key with another order was answered with ${response.status}, not 422`)
    return
  }
  if (response.status === 422 && !isTakeable(world, order)) return
  promise(response.status === 201, `an order was answered with ${response.status}`)
  const job = await response.json<JobJson>()
  order.jobs.add(job.paymentJob)
  if (!world.jobs.includes(job.paymentJob)) world.jobs.push(job.paymentJob)
  world.traces.note(job)
  promise(
    order.key === null || order.jobs.size === 1,
    `one Idempotency-Key made jobs ${[...order.jobs].join(' and ')}`,
  )
}

/** Returns whether an account, or the terminal of the order, is left to take it. */
export function isTakeable({ psp, route }: World, { terminal }: Order): boolean {
  return terminal === undefined ? route.length > 0 : psp.hasTerminal(terminal)
}

/** Checks that the key of a purged job makes no second one. */
export async function orderAgain(world: World, order: Order): Promise<void> {
  const { status } = await ask(world, order, order.amount)
  promise(status === 409 || status === 422, `the key of a purged job was answered with ${status}`)
}

function twice(together: boolean, act: () => Promise<void>): Promise<unknown> {
  return together ? Promise.all([act(), act()]) : act()
}

export async function placeOrder(
  world: World,
  {
    keyed = true,
    together = false,
    slow = false,
    manual = false,
    terminal = false,
  }: Partial<OrderKind> & { together?: boolean },
): Promise<void> {
  const atTerminal = terminal ? world.psp.terminalOf(world.route[0] ?? '') : undefined
  const order: Order = {
    key: keyed ? crypto.randomUUID() : null,
    amount: AMOUNT,
    // Unique among the schedules of a point of sale.
    number: `A-${world.seed}-${world.orders.length}`,
    method: atTerminal ? 'terminal' : manual ? 'creditcard' : slow ? 'banktransfer' : 'ideal',
    isManual: manual && !atTerminal,
    terminal: atTerminal,
    jobs: new Set(),
  }
  world.orders.push(order)
  await world.start(twice(together, () => post(world, order, order.amount)))
}

/**
 * Repeats an order with its key; without one it would be a new order. With another amount, the hub must
 * refuse it.
 */
export async function repeatOrder(
  world: World,
  order: Order,
  together: boolean,
  changed: boolean,
): Promise<void> {
  if (order.key === null) return
  const amount = changed && order.jobs.size > 0 ? 9900 : order.amount
  await world.start(twice(together, () => post(world, order, amount)))
}

/** Reads a job, which must have every step that was ever shown. */
export async function readJob(world: World, id: string): Promise<void> {
  const response = await world.askAsShop(`/v2/paymentjobs/${id}`)
  if (response.status >= 500) return
  promise(response.status === 200, `job ${id} was acknowledged, and is now answered with ${response.status}`)
  world.traces.note(await response.json<JobJson>(), true)
}
