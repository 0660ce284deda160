import { consumeSweeps, startSweeps } from '../../src/job-index/consume-sweeps.ts'
import { consume } from './queue.ts'
import type { World } from './world.ts'

/** As wrangler.toml has it. */
const TRIES = 100

/** The sweeps of this hour, and what they send. */
export async function sweep(world: World): Promise<void> {
  await startSweeps(world.env, Date.now())
  await deliverSweeps(world)
}

async function deliverSweeps(world: World): Promise<void> {
  const { sweeps } = world.platform
  for (let rounds = 0; sweeps.waiting.length > 0 && rounds < TRIES; rounds++) {
    const message = sweeps.take(0, false)
    if (!message) return
    await world.start(
      consume(world.env, sweeps, [message], consumeSweeps, { tries: TRIES, dead: async () => {} }),
    )
  }
  world.seen.clear()
}
