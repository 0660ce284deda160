import { beforeAll, expect, inject, it, vi } from 'vitest'
import { openShards } from '../support/hub/shards.ts'
import { seizeJobWrites } from './job-writes.ts'
import { seizeKv } from './kv.ts'
import { hunt, play } from './hunt.ts'
import { KNOWN_SCHEDULES } from './known-schedules.ts'

/** The seeds to play: a few, unless `npm run test:slow` or `npm run simulate` chooses others. */
const asked = inject('simulation')
const { first, count, patience } = asked ?? { first: 201, count: 6, patience: 150_000 }
/** How often (ms) a long run reports its progress. */
const LOG_EVERY = 4000
/** After this many failures the run stops. */
const MOST_FAILURES = 5

/** The seed of the first known schedule: no other schedule has its days. */
const FIRST_KNOWN = 240

const { log } = console
beforeAll(async () => {
  await openShards()
  seizeKv()
  await seizeJobWrites()
  // Silent: the hub logs every fault of a schedule.
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

it(
  `keeps its promises in the schedules of seeds ${first} to ${first + count - 1}`,
  { timeout: patience },
  async () => {
    let failures = 0
    let loggedAt = performance.now()
    for (let seed = first; seed < first + count && failures < MOST_FAILURES; seed++) {
      const failure = await hunt(seed, first)
      if (failure !== null) {
        failures++
        log(failure)
      }
      if (!asked || performance.now() - loggedAt < LOG_EVERY) continue
      loggedAt = performance.now()
      log(`${seed - first + 1} of the seeds ${first} to ${first + count - 1}, ${failures} failed`)
    }
    expect(failures, 'seeds whose schedules broke a promise').toBe(0)
  },
)

const known = Object.entries(KNOWN_SCHEDULES).map(([what, schedule], at) => [what, schedule, at] as const)

// The slow tests play these, and a run of `npm run simulate` from the first seed on.
it.runIf(asked?.first === 1).each(known)('keeps its promises: %s', { timeout: patience }, (_, schedule, at) =>
  play(FIRST_KNOWN + at, schedule),
)
