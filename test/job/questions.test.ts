import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Payment } from '../../src/job/core/state.ts'
import { type Answers, type AskReason, hourlyLimit, questions } from '../../src/job/questions.ts'
import { isWaiting } from '../support/job.ts'
import { NOW, NO_ANSWER as SILENCE, playedJob, seen } from '../support/played-job.ts'

const OPEN: Answers = { asked: NOW, answers: [{ answer: seen('PENDING') }] }
const PAID: Answers = { asked: NOW, answers: [{ answer: seen('SUCCESS') }] }
const NO_ANSWER: Answers = { asked: NOW, answers: [{ answer: SILENCE }] }

let payment: Payment
/** What the PSP says, question by question; a test resolves each. */
let put: ((asked: Answers) => void)[]
let ask: (why: AskReason) => ReturnType<ReturnType<typeof questions>['ask']>
beforeEach(() => {
  vi.setSystemTime(NOW)
  put = []
  const [own] = playedJob().state.payments
  if (!own) throw new Error('no account took the order')
  payment = own
  const all = questions(() => new Promise((resolve) => put.push(resolve)), hourlyLimit(3))
  ask = (why) => all.ask(payment, why)
})
afterEach(() => void vi.useRealTimers())

async function answered(why: AskReason, answer: Answers) {
  const turn = ask(why)
  put.at(-1)?.(answer)
  return turn
}

describe('a question', () => {
  it('is put once, however many ask at the same time: they share the answer', async () => {
    const [first, second] = [ask('back'), ask('notified')]
    expect(await isWaiting(second)).toBe(true)
    put[0]?.(PAID)
    expect(await first).toMatchObject({ is: 'asked', ...PAID })
    expect(await second).toMatchObject({ is: 'shared', ...PAID })
    expect(put).toHaveLength(1)
  })

  it('that has just had no answer is put by nobody else', async () => {
    await answered('notified', NO_ANSWER)
    expect(await ask('back')).toMatchObject({ is: 'shared', ...NO_ANSWER })
  })

  it('is put again two seconds after an answer', async () => {
    await answered('back', OPEN)
    vi.setSystemTime(NOW + 1999)
    expect(await ask('back')).toMatchObject({ is: 'shared' })
    vi.setSystemTime(NOW + 2000)
    expect(await answered('back', PAID)).toMatchObject({ is: 'asked', ...PAID })
  })

  it.each<[string, AskReason, Answers]>([
    ['of a customer who gives up what is open', 'gave-up', OPEN],
    ['of a shop that cancels what is open', 'cancel', OPEN],
    ['after the hub has moved money', 'refund', PAID],
    ['after a signed claim', 'claim', OPEN],
  ])('%s is put at once', async (_, why, before) => {
    await answered('back', before)
    expect(await answered(why, PAID)).toMatchObject({ is: 'asked' })
  })

  it('of a notification that follows an answer waits, and says until when', async () => {
    await answered('back', OPEN)
    expect(await ask('notified')).toEqual({ is: 'later', from: NOW + 2000 })
  })

  it('of others than the hub is put so many times an hour, and then no more', async () => {
    for (let hit = 0; hit < 3; hit++, vi.setSystemTime(NOW + hit * 2000)) await answered('back', OPEN)
    expect(await ask('back')).toEqual({ is: 'later', from: NOW + 3_600_000 })
    expect(await answered('duty', OPEN)).toMatchObject({ is: 'asked' })
    vi.setSystemTime(NOW + 3_600_000)
    expect(await answered('back', OPEN)).toMatchObject({ is: 'asked' })
  })

  it('that nobody answers holds up no later one for longer than it may take', async () => {
    vi.useFakeTimers()
    const first = ask('back')
    const second = ask('back')
    await vi.advanceTimersByTimeAsync(35_000)
    expect(await second).toMatchObject({ is: 'later' })
    put[0]?.(PAID)
    expect(await first).toMatchObject({ is: 'asked' })
    vi.useRealTimers()
  })
})
