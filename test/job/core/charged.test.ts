import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import type { FactOf } from '../../../src/job/core/facts.ts'
import { represent } from '../../../src/job/core/show.ts'
import { why } from '../../../src/job/core/why.ts'
import type { AskAnswer, MoneyMove } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  NO_ANSWER,
  TAKEN,
  WHERE,
  playedBirth,
  playedOrder,
  seen,
} from '../../support/jobs/played-job.ts'

const TOOK = { is: 'took', reference: 'tr_1', terminal: 'term_1', expiresAt: null } as const
const NO_MONEY = /\. No money was taken\.$/
const SECOND = MINUTE / 60

function atTerminal(): Job {
  const order = { terminal: { id: 'term_1', account: 'mollie' }, paymentMethod: 'terminal' }
  return playedBirth(order, ['mollie', TOOK])
}

const DECLINED = seen('FAILURE', 0, { reason: 'declined: Card removed' })
const CANCELLED = seen('CANCELLED')
/** The terminal says that the payment failed, but the bank's authorisation may still come. */
const UNSURE: AskAnswer = {
  is: 'unavailable',
  message: 'No host.',
  failure: 'terminal_unreachable: No host. It goes back.',
}

const PART: MoneyMove = { id: 'part', kind: 'part', amount: AMOUNT, currency: 'EUR', reference: 'psp_1' }
const SIGNED: Partial<FactOf<'notified'>> = {
  reference: null,
  payment: 'psp_1',
  claims: 'SUCCESS',
  moves: [PART],
}
const back = (id: string, more: Partial<MoneyMove>): Partial<FactOf<'notified'>> => ({
  reference: null,
  moves: [{ id, kind: 'refund', amount: AMOUNT, currency: 'EUR', of: 'psp_1', ...more }],
})
const UNDONE = back('cancel', { cancelled: true })
const ALSO_UNDONE = back('technical', { cancelled: true })

function hears(job: Job, answer: AskAnswer) {
  job.now += SECOND
  job.hears('other', { answer })
}
function notifies(job: Job, told: Partial<FactOf<'notified'>>) {
  job.now += SECOND
  job.notified({ ...told, came: job.now })
}
function shown(job: Job) {
  const { status, error, terminal, amountPaid, amountDue } = represent(job.state)
  return { status, error, ...terminal, amountPaid, amountDue }
}
const causeOf = (job: Job) => {
  job.report('200')
  return why(job.state, job.now).main
}

/** Returns all orders of the events. */
function ordersOf<One>(events: readonly One[]): One[][] {
  if (events.length < 2) return [[...events]]
  return events.flatMap((first, at) => ordersOf(events.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

type Event = (job: Job) => void
const ends: Event = (job) => hears(job, DECLINED)
const isSigned: Event = (job) => notifies(job, SIGNED)
const isUndone: Event = (job) => notifies(job, UNDONE)
const isUndoneAgain: Event = (job) => notifies(job, ALSO_UNDONE)

describe('given a payment that failed at its terminal, and that the PSP signed as authorised', () => {
  it.each(
    ordersOf([ends, isSigned, ends, isSigned]).map((events) => [events.map(({ name }) => name), events]),
  )('when it happens as %j, then everybody reads that the card may have been charged', (_, events) => {
    const job = atTerminal()
    for (const event of events) event(job)
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      state: 'unknown',
      error: expect.stringMatching(/^perhaps_charged: /) as string,
    })
    expect(shown(job)).not.toHaveProperty('knownBy')
    expect(causeOf(job)).toMatchObject({
      cause: 'signed-not-shown',
      todo: expect.arrayContaining([{ do: 'take-nothing' }]) as unknown,
    })
    expect(job.folded()).toEqual(job.state)
  })

  it.each(
    ordersOf([ends, isSigned, isUndone, isUndoneAgain]).map((events) => [
      events.map(({ name }) => name),
      events,
    ]),
  )('when the PSP has cancelled it, in the order %j, then no money was taken', (_, events) => {
    const job = atTerminal()
    for (const event of events) event(job)
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      state: 'ended',
      error: expect.stringMatching(NO_MONEY),
    })
    expect(causeOf(job).cause).toBe('terminal-declined')
  })

  it.each([
    ['FAILURE', DECLINED],
    ['CANCELLED', CANCELLED],
    ['EXPIRED', seen('EXPIRED')],
  ])('when it had ended as %s, then the shop gets a report of either, and each is news', (status, end) => {
    const job = atTerminal()
    hears(job, end)
    const revisions = [isSigned, isSigned, isUndone, isUndone].map((event) => {
      job.report('200')
      const [before, updated] = [job.state.revision, job.state.updated]
      event(job)
      expect(job.status()).toBe(status)
      if (job.state.revision > before) expect(job.state.updated).toBeGreaterThan(updated)
      return job.state.revision - before
    })
    expect(revisions).toEqual([1, 0, 1, 0])
  })

  it('then it can be refunded by what was signed, once, and the doubt is over when the money went back', () => {
    const job = atTerminal()
    ends(job)
    expect(job.wants('refund', 'r0')).toMatchObject({ ok: false })
    isSigned(job)
    expect(job.wants('refund', 'r1', { amount: 500 })).toMatchObject({ ok: true })
    job.answered('r1', TAKEN)
    expect(job.wants('refund', 'r2', { amount: AMOUNT })).toMatchObject({
      ok: false,
      error: { rest: AMOUNT - 500 },
    })
    notifies(job, back('refund-1', { amount: 500, refund: 'r1' }))
    expect(job.wants('refund', 'r3')).toMatchObject({ ok: true })
    expect(job.wants('refund', 'r4', { amount: 1 })).toMatchObject({ ok: false })
    notifies(job, back('refund-3', { amount: AMOUNT - 500, refund: 'r3' }))
    expect(shown(job)).toMatchObject({ state: 'ended', error: 'declined: Card removed' })
  })

  it('when the terminal says better, then it is paid', () => {
    const job = atTerminal()
    ends(job)
    isSigned(job)
    hears(job, seen('SUCCESS'))
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', state: 'ended', error: null })
  })

  it('when the terminal still works on it, then the till waits, and offers no card', () => {
    const job = atTerminal()
    isSigned(job)
    hears(job, seen('PENDING', 0, { stage: { is: 'open' }, progress: 'waiting-for-card' }))
    expect(shown(job)).toMatchObject({ status: 'PENDING', state: 'authorising' })
  })
})

describe('given a terminal that says that the payment failed, while money may still come', () => {
  it('then that is unknown for some minutes, and ends by itself: no one says that no money was taken', () => {
    const job = atTerminal()
    job.now += 30 * SECOND
    hears(job, UNSURE)
    const { status, state, knownBy = '' } = shown(job)
    expect({ status, state }).toEqual({ status: 'PENDING', state: 'unknown' })
    expect(Date.parse(knownBy) - job.now).toBeLessThanOrEqual(5 * MINUTE)
    for (let questions = 0; questions < 50 && job.status() === 'PENDING'; questions++) {
      job.untilDue('ask', 'stop', 'expire')
      if (job.due('expire') === 0) job.tell({ do: 'expire' })
      else job.hears('duty', { answer: questions % 2 ? NO_ANSWER : UNSURE })
    }
    expect(job.now).toBe(Date.parse(knownBy))
    expect(shown(job)).toMatchObject({ status: 'FAILURE', state: 'ended', error: UNSURE.failure })
    expect(causeOf(job).cause).toBe('terminal-unreachable')
    isSigned(job)
    hears(job, UNSURE)
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(job.state.late).toBe(true)
  })

  it.each(ordersOf([isSigned, (job: Job) => hears(job, UNSURE)]))(
    'when the PSP signs it, then it is paid',
    (...events) => {
      const job = atTerminal()
      for (const event of events) event(job)
      hears(job, UNSURE)
      expect(shown(job)).toMatchObject({ status: 'SUCCESS', state: 'ended', error: null })
    },
  )

  it('when it says later how it ended, then that counts', () => {
    const job = atTerminal()
    hears(job, UNSURE)
    hears(job, DECLINED)
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: expect.stringMatching(NO_MONEY) as string })
  })
})

it('given reserved money of an order that was cancelled, when only its signature is known, then nothing was paid', () => {
  const job = playedOrder({ capture: 'manual' })
  job.tell({ do: 'cancel', by: 'shop' })
  job.hears('other', { answer: CANCELLED, stopped: 'cancel' })
  notifies(job, { ...SIGNED, ...WHERE })
  expect(job.refund('r1', 500)).toMatchObject({ ok: false, error: { is: 'unpaid' } })
})

it('given a payment that a terminal stored, then it is paid only once the PSP has signed it', () => {
  const stored = seen('PENDING', 0, {
    stage: { is: 'underway', patience: 7 * 24 * 60 * MINUTE },
    progress: 'authorising',
  })
  for (const events of ordersOf([isSigned, (job: Job) => hears(job, stored)])) {
    const job = atTerminal()
    hears(job, stored)
    expect(shown(job)).toMatchObject({ status: 'PENDING', state: 'authorising', amountPaid: '0.00' })
    for (const event of events) event(job)
    hears(job, stored)
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  }
})

it('given a terminal that took a part, then the job ends at once, and the part can be refunded', () => {
  const job = atTerminal()
  hears(job, seen('SUCCESS', 800))
  expect(shown(job)).toMatchObject({
    status: 'FAILURE',
    state: 'ended',
    error: expect.stringMatching(/^paid_in_part: /) as string,
    amountPaid: '8.00',
    amountDue: '4.50',
  })
  expect(causeOf(job).cause).toBe('paid-in-part')
  expect(job.wants('refund', 'r1')).toMatchObject({ ok: true })
})

it('given a terminal of which nobody ever said how its payment ended, then the till does not offer to pay again', () => {
  const job = atTerminal()
  for (let questions = 0; questions < 100 && job.status() === 'PENDING'; questions++) {
    job.untilDue('ask', 'stop')
    job.hears('duty', { answer: NO_ANSWER })
  }
  expect(shown(job)).toMatchObject({
    status: 'EXPIRED',
    state: 'unknown',
    error: expect.stringMatching(/^perhaps_charged: /),
  })
  hears(job, CANCELLED)
  expect(shown(job)).toMatchObject({ status: 'EXPIRED', state: 'ended' })
})
