import { beforeAll, expect, inject, it, vi } from 'vitest'
import { bounded } from '../../src/platform/bounded.ts'
import { breakers } from '../../src/psp/breakers.ts'
import { openShards } from '../support/shards.ts'
import { seizeKv } from './kv.ts'
import { type KnownPos, makeKnownPos } from './known-pos.ts'
import { type Draw, FAULTS } from './why-faults.ts'
import { type Asked, type Play, playOne } from './why-play.ts'
import { mulberry32 } from './world.ts'

/** How often each fault is played: once, unless `npm run test:slow` asks for more. */
const ROUNDS = inject('whyRounds') ?? 1
const SCHEDULES = ROUNDS * Object.keys(FAULTS).length
/** In so many of a hundred answers the cause that is named is the fault that was injected. */
const LEAST_SHARE = 0.99

let pos: KnownPos
const { log } = console
beforeAll(async () => {
  await openShards()
  seizeKv()
  pos = await makeKnownPos()
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

/** Draws by the seed alone. */
function drawing(seed: number): Draw {
  const random = mulberry32(seed)
  return {
    of: (...values) => values[Math.floor(random() * values.length)] ?? values[0],
    from: (least, most) => least + Math.floor(random() * (most - least + 1)),
  }
}

/** Plays the schedule of a seed: every fault has its turn. */
async function played(seed: number): Promise<{ fault: string; asked: readonly Asked[] }> {
  const faults = Object.entries(FAULTS)
  const [fault, inflict] = faults[seed % faults.length] ?? ['none', async () => {}]
  const draw = drawing(seed)
  // All schedules have the same account, which may have been down in the one before.
  Object.assign(breakers, bounded())
  const play = await playOne(seed, pos)
  const why: Play['why'] = async (expected) => {
    if (draw.of(true, false)) await play.evict()
    await play.why(expected)
  }
  try {
    await inflict(play, draw, why)
    play.world.confess()
    return { fault, asked: play.asked }
  } catch (error) {
    throw new Error(`seed ${seed}, ${fault}`, { cause: error })
  } finally {
    await play.world.end()
  }
}

it(
  `the cause that is named is the fault that was injected, in ${LEAST_SHARE * 100} % of what is asked of ${SCHEDULES} schedules`,
  { timeout: 300_000 },
  async () => {
    let all = 0
    const missed: string[] = []
    for (let seed = 0; seed < SCHEDULES; seed++) {
      const { fault, asked } = await played(seed)
      all += asked.length
      for (const { expected, told, happened } of asked) {
        if (told !== expected)
          missed.push(`seed ${seed}, ${fault}: ${expected} was told as ${told}: ${happened}`)
      }
    }
    const share = (all - missed.length) / all
    for (const miss of missed) log(miss)
    expect(all).toBeGreaterThan(SCHEDULES)
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE)
  },
)
