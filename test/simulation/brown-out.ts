import { vi } from 'vitest'
import type { BrownOut } from './commands.ts'
import { placeOrder } from './shop-client.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** The number of orders during the brown-out. */
const ORDERS = 4
/** How long (ms) the hub waits for the PSP when it does not answer. */
const SILENCE = 3000
/** The pause between two orders (ms). */
const APART = 100

/** Each call's duration (ms), and whether the PSP answers, by the number of calls before it. */
const CALLS: Record<BrownOut, (before: number) => { takes: number; answers: boolean }> = {
  'says nothing': () => ({ takes: SILENCE, answers: false }),
  'comes and goes': (before) =>
    before % 2 === 0 ? { takes: SILENCE, answers: false } : { takes: 0, answers: true },
}

/**
 * Plays a brown-out of the route's first PSP, with no other fault, while the shop goes on ordering. If
 * another PSP takes the currency, each order gets a payment at once, and after an order that waited, the next
 * one does not wait.
 */
export async function brownOut(world: World, kind: BrownOut): Promise<void> {
  const [name = 'mollie', ...rest] = world.route
  const others = rest.filter(world.psp.takes)
  let calls = 0
  const end = world.psp.startBrownOut(name, () => {
    const { takes, answers } = CALLS[kind](calls++)
    vi.setSystemTime(Date.now() + takes)
    return answers
  })
  let hasWaited = false
  for (let orders = 0; orders < ORDERS; orders++) {
    const [before, began] = [calls, Date.now()]
    const had = world.jobs.length
    await placeOrder(world, {})
    world.throwViolation()
    const took = Date.now() - began
    const [job] = world.jobs.slice(had)
    if (others.length > 0) {
      promise(
        job !== undefined && world.psp.of(job).length > 0,
        `${name} ${kind}, and job ${job} has no payment at ${others.join()} either`,
      )
      promise(
        !hasWaited || calls === before,
        `${name} ${kind}: the order after the one that waited has waited too, for ${took} ms`,
      )
    }
    hasWaited = calls > before && took >= SILENCE
    vi.setSystemTime(Date.now() + APART)
  }
  end()
}
