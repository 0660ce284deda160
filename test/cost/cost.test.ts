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

/** The time limit (ms) for five hubs side by side, on a busy machine. */
const PATIENCE = 240_000

/**
 * Operations of real payments, which a hub pays for. The expectations are ceilings: a change that adds a
 * write, a read or a message fails here, and one that saves some passes.
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

/** Returns the counts of a part, without durations and rows read: those vary, and cost next to nothing. */
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

/** Expects at most these operations in a part, and none of another kind. */
function expectAtMost(played: Pick<Played, 'scenes'>, name: string, most: Counts): void {
  const counts = Object.entries(countsOf(played, name)) as [keyof Counts, number][]
  expect(counts.filter(([operation, times]) => times > (most[operation] ?? 0))).toEqual([])
}

it('the parts of a payment are counted', () => {
  const counted = paid.scenes.map(({ counts }) => counts['worker requests'] ?? counts['alarm runs'] ?? 0)
  expect(Math.min(...counted)).toBeGreaterThan(0)
})

it('a successful create is at most one object request, one row, one alarm and no message', () => {
  expectAtMost(paid, 'create', {
    'worker requests': 1,
    // The token, the profile, and the state of the account's breaker.
    'kv reads': 3,
    'object requests': 1,
    'object rows written': 1,
    'alarm sets': 1,
  })
})

it('sending a customer to pay is at most one request, and one of the object', () => {
  expectAtMost(paid, 'pay', { 'worker requests': 1, 'object requests': 1 })
})

it('a return writes at most two entries, sets no alarm, and sends a report and a row', () => {
  expectAtMost(paid, 'return and report', {
    // The return, and the messages of the report and of the row.
    'worker requests': 3,
    // The profile, which brings the account, unless it was read within 20 seconds.
    'kv reads': 1,
    // The return, the job for the report and the outcome, and the day's directory, which writes the row.
    'object requests': 4,
    // The answer of the PSP; the try of the report with the written row; and the directory's own row.
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

it('a successful payment logs nothing, and the hub has no traces', async () => {
  const paymentScenes = [...paid.scenes, ...notifiedFirst.scenes].filter(
    ({ name }) => !name.startsWith('forgetting'),
  )
  expect(paymentScenes.filter(({ counts }) => counts['log events'])).toEqual([])
  const settings = await readFile(join(PROJECT, 'wrangler.toml'), 'utf8')
  expect(settings).toMatch(/\[observability\.traces\]\nenabled = false/)
  expect(settings).toContain('invocation_logs = false')
})

// Each isolate checks once a minute whether the account's notifications are known to arrive.
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

it('at most one alarm of a successful payment runs in vain: the one from its create', () => {
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
    // The row with its indexes, and that day's count.
    'd1 rows written': 5,
    // The page's, which 200 jobs share, and the job's.
    'log events': 2,
  })
})

/** CPU time in USD, a fifth above what `npm run cost` measured. */
const CPU = 0.5

/** Returns the cost (USD) of these parts of a million payments, without CPU time. */
function costOf(played: Played, ...parts: string[]): number {
  return parts.reduce((sum, name) => sum + sumOf(billOf(countsOf(played, name))), 0)
}
const PAID = ['create', 'pay', 'return and report', 'notification', 'read', 'alarms']

it('a million whole payments cost 18.9 USD at most, one at a time', () => {
  expect(costOf(paid, ...PAID) + CPU).toBeLessThanOrEqual(18.9)
})

it('a payment at a terminal costs at most 3 USD a million more, though nothing waits in its object', () => {
  const parts = ['create', 'waiting for the card', 'notification and report', 'read', 'alarms']
  expect(costOf(atTerminal, ...parts)).toBeLessThanOrEqual(costOf(paid, ...PAID) + 3)
})

it('a million unpaid payments cost 24.7 USD at most, and write entries only for events', () => {
  const counts = countsOf(abandoned, 'alarms')
  const parts = ['create', 'pay', 'read', 'alarms']
  const cost = parts.reduce((sum, name) => sum + sumOf(billOf(countsOf(abandoned, name))), 0)
  expect(cost).toBeLessThanOrEqual(24.7)
  // The row, the end and the report; and the directory's row.
  expect(counts['object rows written']).toBeLessThanOrEqual(4)
  // A report, and the rows of the creation and of the end.
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

  it.each(['return and report', 'notification'])('adds no cost to what happens meanwhile: %s', (name) => {
    for (const scenes of [byEvents, byWaiting]) expectAtMost({ scenes }, name, countsOf(paid, name))
  })
})
