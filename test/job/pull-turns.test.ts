import { describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/job/rules/job.ts'
import type { PullResult } from '../../src/job/rules/pull.ts'
import { recordPull } from '../../src/job/rules/transition.ts'
import { jobPulls } from '../../src/job/job-pulls.ts'
import { outsideCalls } from '../../src/job/outside-calls.ts'
import { orUntil, pullTurns } from '../../src/job/pull-turns.ts'
import { reportTries } from '../../src/job/report-tries.ts'
import { isWaiting } from '../support/job.ts'
import { AMOUNT, NOW, sampleJob, seen, traceOf } from '../support/sample-job.ts'

const OPEN: PullResult = { answer: seen('PENDING'), stopped: false }
const STOPPED: PullResult = { answer: seen('CANCELLED'), stopped: true }
const PAID: PullResult = { answer: seen('SUCCESS', AMOUNT), stopped: false }

describe('turns to pull', () => {
  it('come one after the other: who waits gets the result of the one before', async () => {
    const turns = pullTurns(outsideCalls())
    expect(await turns.take('a', 'return')).toEqual({ is: 'pull' })
    const other = turns.take('b', 'return')
    expect(await isWaiting(other)).toBe(true)
    turns.finish('a', PAID, true)
    expect(await other).toEqual({ is: 'reuse', result: PAID })
  })

  it('are not ended by a pull that has none: its result comes late, and is not what the next one finds', async () => {
    const turns = pullTurns(outsideCalls())
    await turns.take('a', 'give-up')
    const other = turns.take('b', 'give-up')
    turns.finish('lost', OPEN, true)
    expect(await isWaiting(other)).toBe(true)
    turns.finish('a', STOPPED, true)
    expect(await other).toEqual({ is: 'reuse', result: STOPPED })
  })

  it.each([
    ['return', 10_000],
    ['give-up', 35_000],
  ] as const)('count as lost after a time: one to %s after %i ms', async (reason, patience) => {
    vi.setSystemTime(NOW)
    const turns = pullTurns(outsideCalls())
    expect(turns.isUnderWay()).toBe(false)
    await turns.take('a', reason)
    vi.setSystemTime(NOW + patience - 1)
    expect(turns.isUnderWay()).toBe(true)
    vi.setSystemTime(NOW + patience)
    expect(turns.isUnderWay()).toBe(false)
    vi.useRealTimers()
  })

  it('are the same for the same call, and are over once it has finished', async () => {
    const turns = pullTurns(outsideCalls())
    expect(await turns.take('a', 'return')).toEqual({ is: 'pull' })
    const again = turns.take('a', 'return')
    expect(await isWaiting(again)).toBe(false)
    expect(await again).toEqual({ is: 'pull' })
    turns.finish('a', OPEN, true)
    expect(await turns.take('b', 'give-up')).toEqual({ is: 'pull' })
    turns.finish('a', PAID, true)
    expect(await isWaiting(turns.take('c', 'give-up'))).toBe(true)
    turns.finish('b', STOPPED, true)
  })
})

it('whoever gets a turn is handed the job as it is by then', async () => {
  const before = sampleJob()
  const after: Job = { ...before, account: 'another' }
  const held = [before]
  const pulls = jobPulls(
    { read: () => held.shift() ?? after, change: (decide) => decide(after, NOW) },
    outsideCalls(),
  )
  expect(await pulls.begin({ id: 'a', reason: 'return' })).toEqual({ is: 'pull', job: after })
})

it('who takes over the silence of another pull is told that nobody answered', async () => {
  const job = sampleJob()
  const pulls = jobPulls({ read: () => job, change: (decide) => decide(job, NOW) }, outsideCalls())
  const silence: PullResult = { answer: { is: 'unavailable', message: 'No answer.' }, stopped: false }
  await pulls.begin({ id: 'a', reason: 'notification' })
  pulls.end({ id: 'a', reason: 'notification' }, silence)
  const other = await pulls.begin({ id: 'b', reason: 'notification' })
  expect(other).toMatchObject({ is: 'done', isAnswered: false })
})

describe('a try of a report', () => {
  it('is the only one for 20 seconds: a receiver has 15 of them', () => {
    const tries = reportTries()
    expect(tries.begin(2, NOW)).toBe(true)
    expect(tries.begin(2, NOW + 19_999)).toBe(false)
    expect(tries.begin(2, NOW + 20_000)).toBe(true)
  })

  it('holds up no other report, and not the next try once it has ended', () => {
    const tries = reportTries()
    tries.begin(2, NOW)
    expect(tries.begin(3, NOW)).toBe(true)
    tries.end(2)
    expect(tries.begin(2, NOW + 1)).toBe(true)
    expect(tries.begin(3, NOW + 1)).toBe(false)
  })
})

it.each(['return', 'give-up'] as const)(
  'a customer who comes back (%s) to what a notification found paid is a step, once, and nobody asks the PSP',
  async (reason) => {
    let job = recordPull(sampleJob(), 'Statuspull', seen('SUCCESS', AMOUNT), NOW)
    const known = job
    const pulls = jobPulls(
      { read: () => job, change: (decide) => (job = decide(job, NOW + 1000)) },
      outsideCalls(),
    )
    expect(await pulls.begin({ id: 'a', reason })).toMatchObject({ is: 'done', isAnswered: true })
    expect(pulls.isUnderWay()).toBe(false)
    expect(traceOf(job)).toEqual([...traceOf(known), `Return SUCCESS ${AMOUNT}`])
    const { steps, updated } = job
    expect(await pulls.begin({ id: 'b', reason })).toMatchObject({ is: 'done', job: { steps, updated } })
    expect(job).toEqual({ ...known, steps, updated })
  },
)

it.each(['wait', 'cancel'] as const)(
  'nobody comes back where the shop asks (%s) for what is paid',
  async (reason) => {
    const job = recordPull(sampleJob(), 'Statuspull', seen('SUCCESS', AMOUNT), NOW)
    const change = vi.fn<() => Job>(() => job)
    const pulls = jobPulls({ read: () => job, change }, outsideCalls())
    expect(await pulls.begin({ id: 'a', reason })).toEqual({ is: 'done', job, isAnswered: true })
    expect(change).not.toHaveBeenCalled()
  },
)

it('who waits for a pull whose Worker has died goes on at the time that was set', async () => {
  const wait = orUntil(Date.now() + 200, new Promise(() => {}))
  expect(await isWaiting(wait)).toBe(true)
  await wait
})
