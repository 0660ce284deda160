import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { billOf, sumOf } from './bill.ts'
import { buildMetered } from './metered-hub.ts'
import { type Played, type Scene, playAlone, playAtTerminal, playWatched } from './scenes.ts'
import { tillByEvents, tillByWaiting } from './tills.ts'
import type { Counts } from './worker/counts.ts'

/** How long (ms) five hubs may take that play side by side, on a busy machine. */
const PATIENCE = 240_000

/**
 * Operations are counted on real payments. These are ceilings, for operations are what a hub pays for: a
 * change that adds a write, a read or a message is seen here, and one that saves some passes.
 */
let paid: Played
let notifiedFirst: Played
let abandoned: Played
let atTerminal: Played
let byEvents: Scene[]
let byWaiting: Scene[]
let bundle: string
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  await buildMetered(bundle)
  const built = { ...inject('built'), bundle }
  ;[paid, notifiedFirst, abandoned, atTerminal, byEvents, byWaiting] = await Promise.all([
    playAlone(built, 'paid'),
    playAlone(built, 'notified first'),
    playAlone(built, 'abandoned'),
    playAtTerminal(built),
    playWatched(built, 2, tillByEvents),
    playWatched(built, 2, tillByWaiting),
  ])
}, PATIENCE)
afterAll(() => rm(bundle, { recursive: true, force: true }))

/**
 * The counts of a part, without the time it takes and the rows it reads: those vary, and cost next
 * to nothing.
 */
function countsOf({ scenes }: Pick<Played, 'scenes'>, name: string): Counts {
  const scene = scenes.find((candidate) => candidate.name === name)
  if (!scene) throw new Error(`there is no part ${name}`)
  const {
    'object milliseconds': _time,
    'd1 rows read': _rows,
    'object rows read': _read,
    ...counts
  } = scene.counts
  return counts
}

/** Expects no more operations in a part than these, and none of another kind. */
function expectAtMost(played: Pick<Played, 'scenes'>, name: string, most: Counts): void {
  const counts = Object.entries(countsOf(played, name)) as [keyof Counts, number][]
  expect(counts.filter(([operation, times]) => times > (most[operation] ?? 0))).toEqual([])
}

it('the parts of a payment are counted', () => {
  const counted = paid.scenes.map(({ counts }) => counts['worker requests'] ?? counts['alarm runs'] ?? 0)
  expect(Math.min(...counted)).toBeGreaterThan(0)
})

it('a create that goes well is at most one object request, one row, one alarm and no message', () => {
  expectAtMost(paid, 'create', {
    'worker requests': 1,
    // The token, the profile, and whether the account's breaker is open.
    'kv reads': 3,
    'object requests': 1,
    'object rows written': 1,
    'alarm sets': 1,
  })
})

it('being sent to pay is at most one request, and one of the object', () => {
  expectAtMost(paid, 'pay', { 'worker requests': 1, 'object requests': 1 })
})

it('a return writes at most two entries, sets no alarm, and sends its report and its row', () => {
  expectAtMost(paid, 'return and report', {
    // The return, and the queues of the report and of the row.
    'worker requests': 3,
    // The account. The profile is remembered for 20 seconds.
    'kv reads': 1,
    // The return, the job to report and what came of it, and the directory of the day, which writes
    // the row.
    'object requests': 4,
    // What was seen; the try of the report, with the row that was written; and the directory's own.
    'object rows written': 3,
    // Each message is written, read and deleted.
    'queue operations': 6,
    // The row, two of its indexes, and the figures.
    'd1 rows written': 4,
  })
})

it('a return after the notification is at most one object request before the redirect, and one saved step', () => {
  expectAtMost(notifiedFirst, 'return', {
    'worker requests': 1,
    'object requests': 1,
    'object rows written': 1,
  })
})

it('nothing that a customer, a shop or a PSP waits for reads D1', () => {
  const hot = [
    ...['create', 'pay', 'notification', 'read'].map((name) => [paid, name] as const),
    ...['create', 'pay', 'return', 'read'].map((name) => [notifiedFirst, name] as const),
  ]
  for (const [{ scenes }, name] of hot) {
    const found = scenes.find((scene) => scene.name === name)
    expect(found, name).toBeDefined()
    expect(found?.counts['d1 rows read'], name).toBeUndefined()
  }
})

it('a payment that goes well logs nothing, and the hub has no traces', async () => {
  const whole = [...paid.scenes, ...notifiedFirst.scenes].filter(({ name }) => !name.startsWith('forgetting'))
  expect(whole.filter(({ counts }) => counts['log events'])).toEqual([])
  const settings = await readFile(join(PROJECT, 'wrangler.toml'), 'utf8')
  expect(settings).toMatch(/\[observability\.traces\]\nenabled = false/)
  expect(settings).toContain('invocation_logs = false')
})

// An isolate looks once a minute whether it is known that the account's notifications come.
it('a notification after the return saves its step, and nothing else', () => {
  expectAtMost(paid, 'notification', {
    'worker requests': 1,
    'kv reads': 1,
    'object requests': 1,
    'object rows written': 1,
  })
})

it('a read is at most one request, and one of the object', () => {
  expectAtMost(paid, 'read', { 'worker requests': 1, 'object requests': 1 })
})

it('at most one alarm runs in vain for a payment that went well: the one that was set at its create', () => {
  expectAtMost(paid, 'alarms', { 'alarm runs': 1 })
})

it('a token is at most one request and one KV write', () => {
  expectAtMost(paid, 'token', { 'worker requests': 1, 'kv writes': 1 })
})

it('purging a job is at most one request of the object, a row for each entry and one message', () => {
  expectAtMost(paid, 'forgetting, after the retention time', {
    'worker requests': 1,
    'object requests': 1,
    // Four entries are deleted.
    'object rows written': 4,
    'queue operations': 3,
    // The row with its indexes, and the count of that day.
    'd1 rows written': 5,
    // That of the page, which 200 jobs share, and that of the job.
    'log events': 2,
  })
})

/** USD of CPU time, a fifth more than `npm run cost` measured. */
const CPU = 0.5

/** Returns the USD of so many parts of a million payments, each alone, without their CPU time. */
function costOf(played: Played, ...parts: string[]): number {
  return parts.reduce((sum, name) => sum + sumOf(billOf(countsOf(played, name))), 0)
}
const PAID = ['create', 'pay', 'return and report', 'notification', 'read', 'alarms']

it('a million whole payments cost 19 USD at most, each alone', () => {
  expect(costOf(paid, ...PAID) + CPU).toBeLessThanOrEqual(19)
})

it('a payment at a terminal costs at most 3 USD a million more, though nobody waits in its object', () => {
  const parts = ['create', 'waiting for the card', 'notification and report', 'read', 'alarms']
  expect(costOf(atTerminal, ...parts)).toBeLessThanOrEqual(costOf(paid, ...PAID) + 3)
})

it('a million payments that nobody pays cost 25 USD at most, and leave an entry for what happened alone', () => {
  const counts = countsOf(abandoned, 'alarms')
  const parts = ['create', 'pay', 'read', 'alarms']
  const cost = parts.reduce((sum, name) => sum + sumOf(billOf(countsOf(abandoned, name))), 0)
  expect(cost).toBeLessThanOrEqual(25)
  // The row, the end and the report; and the row of the directory.
  expect(counts['object rows written']).toBeLessThanOrEqual(4)
  // A report, the row of the birth and that of the end.
  expect(counts['queue operations']).toBeLessThanOrEqual(9)
})

describe('a till that waits for its payment', () => {
  it.each([
    ['by events', () => byEvents],
    ['by Prefer: wait', () => byWaiting],
  ])('makes one request, and one of the object, however long it takes: %s', (_, scenes) => {
    expectAtMost({ scenes: scenes() }, 'watching', { 'worker requests': 1, 'object requests': 1 })
    expectAtMost({ scenes: scenes() }, 'hearing of it', {})
  })

  it.each(['return and report', 'notification'])('adds nothing to what happens meanwhile: %s', (name) => {
    for (const scenes of [byEvents, byWaiting]) expectAtMost({ scenes }, name, countsOf(paid, name))
  })
})
