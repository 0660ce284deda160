import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { billOf, sumOf } from './bill.ts'
import { buildMetered } from './metered-hub.ts'
import { type Played, type Scene, playAlone, playWatched } from './scenes.ts'
import { tillByEvents, tillByWaiting } from './tills.ts'
import type { Counts } from './worker/counts.ts'

/** Operations are counted on real payments: a change that adds a write, a read or a message is seen here. */
let paid: Played
let abandoned: Played
let byEvents: Scene[]
let byWaiting: Scene[]
let bundle: string
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  await buildMetered(bundle)
  const built = { ...inject('built'), bundle }
  ;[paid, abandoned, byEvents, byWaiting] = await Promise.all([
    playAlone(built, 'paid'),
    playAlone(built, 'abandoned'),
    playWatched(built, 2, tillByEvents),
    playWatched(built, 2, tillByWaiting),
  ])
})
afterAll(() => rm(bundle, { recursive: true, force: true }))

/** The counts of a part, without the time it takes and the rows it reads: those vary, and cost next to nothing. */
const countsOf = ({ scenes }: Pick<Played, 'scenes'>, name: string): Counts => {
  const scene = scenes.find((candidate) => candidate.name === name)
  if (!scene) throw new Error(`there is no part ${name}`)
  const { 'object milliseconds': _time, 'd1 rows read': _rows, ...counts } = scene.counts
  return counts
}

it('a create is one object request and two rows of the object, and one message that becomes five rows of D1', () => {
  expect(countsOf(paid, 'create')).toEqual({
    'worker requests': 2,
    // The token, and the copy of the profile.
    'kv reads': 2,
    // The job, and the directory of the batch that its row is in.
    'object requests': 2,
    'object rows read': 1,
    'object rows written': 3,
    'queue operations': 3,
    // The row, three of its indexes, and the figures.
    'd1 rows written': 5,
  })
})

it('being sent to pay is one request, and one of the object', () => {
  expect(countsOf(paid, 'pay')).toEqual({ 'worker requests': 1, 'object requests': 1 })
})

it('a return with its report saves the job twice, sets one alarm and sends two messages', () => {
  expect(countsOf(paid, 'return and report')).toEqual({
    'worker requests': 3,
    // The account. The profile is remembered for 20 seconds.
    'kv reads': 1,
    'object requests': 4,
    'object rows written': 3,
    'queue operations': 6,
    // The row, and the figures.
    'd1 rows written': 2,
  })
})

it('a notification after the return saves its step and nothing else', () => {
  expect(countsOf(paid, 'notification')).toEqual({
    'worker requests': 1,
    'object requests': 2,
    'object rows written': 1,
  })
})

it('a read is one request, and one of the object', () => {
  expect(countsOf(paid, 'read')).toEqual({ 'worker requests': 1, 'object requests': 1 })
})

it('no alarm runs in vain for a payment that went well', () => {
  expect(countsOf(paid, 'alarms')).toEqual({})
})

it('a token is one request and one KV write', () => {
  expect(countsOf(paid, 'token')).toEqual({ 'worker requests': 1, 'kv writes': 1 })
})

it('purging a job is one alarm and one message', () => {
  expect(countsOf(paid, 'forgetting, after the retention time')).toEqual({
    'worker requests': 1,
    'object requests': 1,
    // Whether alarms have failed before.
    'object rows read': 1,
    'object rows written': 2,
    'queue operations': 3,
    // The row with its indexes, and the count of that day.
    'd1 rows written': 5,
  })
})

it('a million whole payments cost 24 USD at most, each alone', () => {
  const parts = ['create', 'pay', 'return and report', 'notification', 'read', 'alarms']
  const cost = parts.reduce((sum, name) => sum + sumOf(billOf(countsOf(paid, name))), 0)
  expect(cost).toBeLessThanOrEqual(24)
})

it('a job that is never paid is looked after a dozen times, and saved no more often than it changes', () => {
  const counts = countsOf(abandoned, 'alarms')
  expect(counts['object requests']).toBeLessThanOrEqual(14)
  expect(counts['object rows written']).toBeLessThanOrEqual(17)
  expect(counts['queue operations']).toBe(6)
})

describe('a till that waits for its payment', () => {
  it.each([
    ['by events', () => byEvents],
    ['by Prefer: wait', () => byWaiting],
  ])('makes one request, and one of the object, however long it takes: %s', (_, scenes) => {
    expect(countsOf({ scenes: scenes() }, 'watching')).toEqual({ 'worker requests': 1, 'object requests': 1 })
    expect(countsOf({ scenes: scenes() }, 'hearing of it')).toEqual({})
  })

  it.each(['return and report', 'notification'])('adds nothing to what happens meanwhile: %s', (name) => {
    expect(countsOf({ scenes: byEvents }, name)).toEqual(countsOf(paid, name))
    expect(countsOf({ scenes: byWaiting }, name)).toEqual(countsOf(paid, name))
  })
})
