import { vi } from 'vitest'
import type { BrownOut } from './commands.ts'
import { placeOrder } from './shop-client.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** How many payments are created. */
const ORDERS = 4
/** How long (ms) a PSP that does not answer is waited for here. */
const SILENCE = 3000
/** Between two orders (ms). */
const APART = 100

/**
 * What becomes of a call, by how many there were before it: how long (ms) it takes, and whether
 * there is an answer.
 */
const CALLS: Record<BrownOut, (before: number) => { takes: number; answers: boolean }> = {
  'says nothing': () => ({ takes: SILENCE, answers: false }),
  'comes and goes': (before) =>
    before % 2 === 0 ? { takes: SILENCE, answers: false } : { takes: 0, answers: true },
}

/**
 * The first PSP of the route has a brown-out while all else is well, and the shop goes on ordering.
 * Where there is another PSP, each order has a payment at once, as it would without a memory of
 * what does not answer; and after an order that has waited, the next waits for nobody.
 */
export async function brownOut(world: World, kind: BrownOut): Promise<void> {
  const [name = 'mollie', ...rest] = world.route
  const others = rest.filter(world.psp.takes)
  let calls = 0
  const end = world.psp.brownsOut(name, () => {
    const { takes, answers } = CALLS[kind](calls++)
    vi.setSystemTime(Date.now() + takes)
    return answers
  })
  let hasWaited = false
  for (let orders = 0; orders < ORDERS; orders++) {
    const [before, began] = [calls, Date.now()]
    const had = world.jobs.length
    await placeOrder(world, {})
    world.confess()
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
