import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/job/rules/job.ts'
import { messageOf } from '../../src/job/job-snapshot.ts'
import { stored } from '../support/job.ts'
import { type Dumped, dumpState } from './dump-state.ts'
import { play } from './play/play.ts'
import { type SentMessage, playedWorld } from './play/world.ts'
import { RELEASE_0_1_0 } from './release-0.1.0.ts'
import { RELEASE_0_2_0 } from './release-0.2.0.ts'
import { RELEASE_0_3_0 } from './release-0.3.0.ts'
import { RELEASE_0_4_0 } from './release-0.4.0.ts'
import { unplayed } from './unplayed.ts'

let state: Dumped
let sent: readonly SentMessage[]
let snapshots: unknown[]
beforeAll(async () => {
  const world = playedWorld()
  const { jobs } = await play(world)
  state = await dumpState(Object.values(jobs))
  const there = await Promise.all((under('job') as Job[]).map(({ id }) => stored(id)))
  snapshots = there.map((job) => JSON.parse(messageOf(job)) as unknown)
  world.stop()
  sent = world.sent
}, 120_000)
afterAll(() => void vi.useRealTimers())

function bodiesOf(queue: string): unknown[] {
  return sent.filter((one) => one.queue === queue).map(({ body }) => body)
}

/** What the objects of jobs hold under a key. */
function under(key: string): unknown[] {
  return Object.values(state.objects.PAYMENT_JOB).flatMap(({ kv }) =>
    kv[key] === undefined ? [] : [kv[key]],
  )
}

function inKv(prefix: string): unknown[] {
  return state.kv
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ value }) => JSON.parse(value) as unknown)
}

function expectReadable(schema: v.GenericSchema, values: readonly unknown[]): void {
  expect(values.length).toBeGreaterThan(0)
  for (const value of values) expect(v.safeParse(schema, value).issues, JSON.stringify(value)).toBeUndefined()
}

it('what is played leaves behind all that this release can store', () => {
  expect(unplayed(state)).toEqual([])
})

describe('what this release writes is read', () => {
  it.each([
    ['0.1.0', RELEASE_0_1_0],
    ['0.2.0', RELEASE_0_2_0],
    ['0.3.0', RELEASE_0_3_0],
    ['0.4.0', RELEASE_0_4_0],
  ])('by %s: objects, tokens, copies of profiles and accounts, messages', (_, release) => {
    const { JOB_LEDGER, SANDBOX_PAYMENT } = state.objects
    expectReadable(release.job, under('job'))
    expectReadable(
      release['sandbox-payment'],
      Object.values(SANDBOX_PAYMENT).map(({ kv }) => kv['payment']),
    )
    expectReadable(
      release['directory-batch'],
      Object.values(JOB_LEDGER).flatMap(({ kv }) => Object.values(kv).filter((value) => value !== true)),
    )
    expectReadable(release.token, inKv('token:'))
    expectReadable(release.profile, inKv('pos:'))
    expectReadable(release.account, inKv('account:'))
    expectReadable(release['report-message'], bodiesOf('REPORTS'))
    expectReadable(release['index-message'], bodiesOf('JOB_INDEX'))
    expectReadable(release['profile-refresh-message'], bodiesOf('EDGE'))
  })

  it.each([
    ['0.2.0', RELEASE_0_2_0],
    ['0.3.0', RELEASE_0_3_0],
    ['0.4.0', RELEASE_0_4_0],
  ])('by %s: money that went back, other payments, tombstones, API keys, sweeps', (_, release) => {
    expectReadable(release['money-back'], under('money-back'))
    expectReadable(release['other-payments'], under('other-payments'))
    expectReadable(release.tombstone, under('tombstone'))
    expectReadable(release['api-key'], inKv('key:'))
    expectReadable(release['sweep-message'], bodiesOf('SWEEPS'))
  })

  it.each([
    ['0.3.0', RELEASE_0_3_0],
    ['0.4.0', RELEASE_0_4_0],
  ])('by %s: what an object tells those who watch its job', (_, release) => {
    expectReadable(release.snapshot, snapshots)
  })

  it('by 0.4.0: the audit log, the weather, alerts', () => {
    const entries = Object.values(state.objects.AUDIT_LOG).flatMap(({ sql }) => sql?.['entries'] ?? [])
    expectReadable(
      RELEASE_0_4_0['audit-entry'],
      entries.map(({ entry }) => JSON.parse(entry as string) as unknown),
    )
    expectReadable(RELEASE_0_4_0['weather-copy'], inKv('weather'))
    expectReadable(RELEASE_0_4_0['alert-message'], bodiesOf('ALERTS'))
  })
})
