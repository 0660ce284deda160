import { vi } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { makePos } from '../../support/hub.ts'
import { RETENTION } from '../../support/job.ts'
import { operate } from '../../support/operator.ts'
import { openAccounts, playLiveShop } from './live-shop.ts'
import { playAlerts, playClosedShop, playOperators, runCron } from './operators.ts'
import { playPurged, playSlowJobs, playTestShop, ringPurge } from './test-shop.ts'
import { type PlayedWorld, untilQueuesAreEmpty } from './world.ts'

/** Far enough ahead that KV, which goes by the real clock, drops nothing of it for years. */
const START = Date.UTC(2036, 0, 1, 12)

/**
 * Payments of every kind, and what operators do, as they leave things behind: by real requests, so that what is stored is what the hub
 * writes and not what a test thinks it writes. What a release can store, this has to leave behind: `unplayed` tells what is missing.
 */
export async function play(world: PlayedWorld) {
  vi.setSystemTime(START)
  const pos = { test: await makePos(), live: await makePos({ mode: 'live' }), closed: await playClosedShop() }
  const purged = await playPurged(pos.test)
  const accounts = await openAccounts(world, pos.live)
  await untilQueuesAreEmpty(world.sent)
  vi.setSystemTime(START + RETENTION + DAY)
  await ringPurge(purged)
  await runCron('17 * * * *')
  const slow = await playSlowJobs(pos.test)
  const operators = await playOperators()
  await untilQueuesAreEmpty(world.sent)
  await playAlerts(world)
  const tested = await playTestShop(pos.test)
  const lived = await playLiveShop(world, pos.live)
  await operate('POST', `/pos/${pos.test.id}/secret`, { overlapHours: 2 })
  await runCron('17 * * * *')
  await untilQueuesAreEmpty(world.sent)
  return {
    savedAt: Date.now(),
    pos,
    accounts,
    operators,
    tokens: { test: tested.token, live: lived.token },
    jobs: { purged, ...slow, ...tested.jobs, ...lived.jobs },
  }
}
