import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { versionOf } from '../../../src/job/core/journal.ts'
import { represent } from '../../../src/job/core/show.ts'
import { why } from '../../../src/job/core/why.ts'
import type { Observation, AskAnswer } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  NOT_ASKED,
  NOW,
  NO_ANSWER,
  SILENT,
  playedBirth,
  seen,
} from '../../support/jobs/played-job.ts'

const SECOND = 1000
const TOOK = { is: 'took', reference: 'tr_1', terminal: 'term_1', expiresAt: null } as const
const WAITING = seen('PENDING', 0, { stage: { is: 'open' }, progress: 'waiting-for-card' })

/** A job whose order the hub is about to send to the terminal, and has sent nowhere yet. */
function placed(): Job {
  return playedBirth({ terminal: { id: 'term_1', account: 'mollie' }, paymentMethod: 'terminal' })
}

/** A job whose terminal waits for a card. */
function atTerminal(): Job {
  const job = placed()
  job.tries(['mollie', TOOK])
  return job
}

function shown({ state }: Job) {
  const { status, terminal, amountPaid, amountDue, amountTip, card, error } = represent(state)
  return { status, terminal, amountPaid, amountDue, amountTip, card, error }
}

function hears(job: Job, status: Parameters<typeof seen>[0], paid = 0, more: Partial<Observation> = {}) {
  job.now += SECOND
  return job.hears('other', { answer: seen(status, paid, more) })
}

/** The hub asks by its plan to the end, without an answer. */
function staysSilent(job: Job, answer: AskAnswer = NO_ANSWER): number {
  for (let questions = 0; ; questions++) {
    const due = job.due('ask', 'stop')
    if (due === null || job.status() !== 'PENDING') return questions
    job.now += Math.max(due, 0)
    job.hears('duty', { answer })
  }
}

describe('an order for a terminal', () => {
  it('is PENDING from its create on, and is sent at once', () => {
    const job = placed()
    expect(shown(job)).toMatchObject({ status: 'PENDING', terminal: { id: 'term_1', state: 'starting' } })
    expect(job.due('announce')).toBeLessThanOrEqual(0)
  })

  it('waits for the card once the terminal has it, and the trace shows that', () => {
    const job = atTerminal()
    expect(shown(job).terminal).toEqual({ id: 'term_1', state: 'waiting-for-card' })
    expect(represent(job.state).payments.steps).toMatchObject([
      { action: 'Start' },
      { status: 'PENDING', stage: 'waiting-for-card' },
    ])
  })

  it('shows how far the customer is, each stage once', () => {
    const job = atTerminal()
    hears(job, 'PENDING', 0, { stage: { is: 'open' }, progress: 'card-read' })
    expect(shown(job).terminal?.state).toBe('card-read')
    hears(job, 'PENDING', 0, { stage: { is: 'open' }, progress: 'card-read' })
    hears(job, 'PENDING', 0, { stage: { is: 'open' }, progress: 'authorising' })
    expect(job.state.steps.map(({ stage }) => stage)).toEqual([
      undefined,
      'waiting-for-card',
      'card-read',
      'authorising',
    ])
  })

  it('still shows it if the PSP says that money is on its way', () => {
    const job = atTerminal()
    hears(job, 'PENDING', 0, { stage: { is: 'underway', patience: DAY }, progress: 'authorising' })
    expect(shown(job).terminal?.state).toBe('authorising')
  })

  it('is paid, with the card for the receipt', () => {
    const job = atTerminal()
    const card = { brand: 'visa', lastFour: '4242', entryMode: 'contactless', authorisationCode: '123456' }
    hears(job, 'SUCCESS', AMOUNT, { card })
    expect(shown(job)).toMatchObject({
      status: 'SUCCESS',
      terminal: { state: 'ended' },
      amountPaid: '12.50',
      card,
      error: null,
    })
  })

  it('takes a tip on top: it is paid, nothing is due, and there is no surplus', () => {
    const job = atTerminal()
    hears(job, 'SUCCESS', AMOUNT + 200, { tip: 200 })
    expect(shown(job)).toMatchObject({ amountPaid: '14.50', amountDue: '0.00', amountTip: '2.00' })
    expect(job.owed()).toContain('report')
    job.report('200')
    expect(why(job.state, job.now)).toMatchObject({ main: { cause: 'paid' }, others: [] })
    expect(job.wants('refund', 'r1', { amount: AMOUNT + 200 })).toMatchObject({ ok: true })
  })

  it('ends if the card is declined, and no money was taken', () => {
    const job = atTerminal()
    hears(job, 'FAILURE', 0, { reason: 'declined: Insufficient funds.' })
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      error: 'declined: Insufficient funds. No money was taken.',
    })
    expect(job.owed()).not.toContain('ask')
  })

  it('ends without an error if the PSP gives no reason', () => {
    const job = atTerminal()
    hears(job, 'FAILURE')
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: null })
  })

  it('is SUCCESS without an error if the money comes after a decline', () => {
    const job = atTerminal()
    hears(job, 'FAILURE', 0, { reason: 'declined: Wrong PIN.', closed: false })
    hears(job, 'SUCCESS', AMOUNT)
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', error: null })
  })

  it('is refused by a busy terminal: no money was taken, and the hub asks no more', () => {
    const job = placed()
    job.tries(['mollie', { is: 'refused', message: 'terminal_busy: Another payment is on the screen.' }])
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      error: 'terminal_busy: Another payment is on the screen. No money was taken.',
    })
    expect(job.owed()).not.toContain('announce')
    expect(job.owed()).not.toContain('look')
  })
})

describe('a doubt at a terminal', () => {
  it('is shown from a lost answer to the order until the hub knows', () => {
    const job = placed()
    job.tries(['mollie', SILENT])
    const { terminal } = shown(job)
    expect(terminal?.state).toBe('unknown')
    expect(Date.parse(terminal?.knownBy ?? '')).toBeLessThanOrEqual(NOW + DAY)
    expect(job.due('announce')).toBeLessThanOrEqual(3 * SECOND)
    job.untilDue('announce')
    job.tries(['mollie', TOOK])
    expect(shown(job).terminal).toEqual({ id: 'term_1', state: 'waiting-for-card' })
  })

  it('ends if the PSP says that the order never began', () => {
    const job = placed()
    job.tries(['mollie', SILENT])
    job.now += MINUTE
    job.tries(['mollie', { is: 'refused', message: 'terminal_unreachable: It never began.' }])
    expect(shown(job)).toMatchObject({ status: 'FAILURE', terminal: { state: 'ended' } })
    expect(job.owed()).not.toContain('look')
  })

  it('is over once the PSP said that it never began, but a payment that comes late counts', () => {
    const job = placed()
    const refused = { is: 'refused', message: 'terminal_unreachable: It never began.' } as const
    job.tries(['mollie', SILENT])
    job.tries(['mollie', refused])
    expect(job.tries(['mollie', refused])).toEqual([])
    job.tries(['mollie', TOOK])
    hears(job, 'SUCCESS', AMOUNT)
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', error: null })
  })

  it('begins when the PSP falls silent, and ends with its answer', () => {
    const job = atTerminal()
    job.untilDue('ask')
    job.hears('duty', { answer: NO_ANSWER })
    expect(shown(job).terminal).toMatchObject({ state: 'unknown', knownBy: expect.any(String) })
    job.now += SECOND
    job.hears('other', { answer: WAITING })
    expect(shown(job).terminal).toEqual({ id: 'term_1', state: 'waiting-for-card' })
  })

  it('ends without an answer within the day that it names, and money that comes later still counts', () => {
    const job = atTerminal()
    job.untilDue('ask')
    job.hears('duty', { answer: NO_ANSWER })
    const knownBy = Date.parse(shown(job).terminal?.knownBy ?? '')
    expect(staysSilent(job)).toBeLessThan(40)
    expect(job.status()).toBe('EXPIRED')
    expect(job.now).toBeLessThan(knownBy + 3 * 60 * MINUTE)
    expect(job.now).toBeGreaterThan(NOW + 20 * 60 * MINUTE)
    hears(job, 'SUCCESS', AMOUNT)
    expect(job.status()).toBe('SUCCESS')
  })

  it('ends within the day that it names even if the PSP refuses the account', () => {
    const job = atTerminal()
    const refused = { ...NO_ANSWER, accountRefused: true } as const
    job.untilDue('ask')
    job.hears('duty', { answer: refused })
    const knownBy = Date.parse(shown(job).terminal?.knownBy ?? '')
    expect(staysSilent(job, refused)).toBeLessThan(60)
    expect(job.status()).toBe('EXPIRED')
    expect(job.now).toBeLessThan(knownBy + 3 * 60 * MINUTE)
  })

  it('ends too if the order could not be sent', () => {
    const job = placed()
    job.tries(['mollie', SILENT])
    for (let rounds = 0; rounds < 100 && job.status() === 'PENDING'; rounds++) {
      job.untilDue('announce', 'expire')
      if (job.due('announce') === null) job.tell({ do: 'expire' })
      else job.tries(['mollie', NOT_ASKED])
    }
    expect(job.status()).toBe('EXPIRED')
  })
})

describe('the hub asks about a payment at a terminal', () => {
  it('within seconds, a few times, and stops it after three minutes', () => {
    const job = atTerminal()
    const questionTimes: number[] = []
    while (!job.owed().includes('stop')) {
      job.untilDue('ask')
      questionTimes.push(job.now - NOW)
      job.hears('duty', { answer: WAITING })
      if (questionTimes.length > 20) throw new Error('it never stops')
    }
    expect(questionTimes[0]).toBeLessThan(10 * SECOND)
    expect(questionTimes.length).toBeLessThan(10)
    job.untilDue('stop')
    expect(job.now - NOW).toBeGreaterThanOrEqual(3 * MINUTE)
    expect(job.now - NOW).toBeLessThan(3.2 * MINUTE)
  })

  it('and takes the PSP at its word after the stop', () => {
    const job = atTerminal()
    job.now += 4 * MINUTE
    job.hears('duty', { answer: seen('CANCELLED'), stopped: 'expiry' })
    expect(job.status()).toBe('EXPIRED')
  })

  it('again soon, if the stop was passed on and nothing has ended yet', () => {
    const job = atTerminal()
    job.now += 4 * MINUTE
    job.hears('duty', { answer: WAITING, stopped: 'expiry' })
    expect(job.status()).toBe('PENDING')
    expect(shown(job).terminal?.state).toBe('unknown')
    expect(job.due('stop')).toBeLessThanOrEqual(6 * SECOND)
    hears(job, 'SUCCESS', AMOUNT)
    expect(job.status()).toBe('SUCCESS')
  })
})

describe('a cancel at a terminal', () => {
  it('only asks the PSP to stop: how the payment ends is the PSP’s word', () => {
    const job = atTerminal()
    job.tell({ do: 'cancel', by: 'shop' })
    expect(job.status()).toBe('PENDING')
    expect(job.due('stop')).toBeLessThanOrEqual(0)
    job.hears('other', { answer: seen('SUCCESS'), stopped: 'cancel' })
    expect(job.status()).toBe('SUCCESS')
  })

  it('that came after the card is asked about as soon as without one', () => {
    const [job, other] = [atTerminal(), atTerminal()]
    job.tell({ do: 'cancel', by: 'shop' })
    for (const played of [job, other]) {
      played.now += SECOND
      played.hears('duty', { answer: WAITING })
    }
    expect(job.due('stop')).toBe(other.due('ask'))
    expect(job.due('stop')).toBeLessThan(MINUTE)
  })

  it('in time ends the payment', () => {
    const job = atTerminal()
    job.tell({ do: 'cancel', by: 'shop' })
    job.hears('other', { answer: seen('CANCELLED'), stopped: 'cancel' })
    expect(shown(job)).toMatchObject({ status: 'CANCELLED', terminal: { state: 'ended' } })
  })

  it('ends nothing while the terminal may have the order', () => {
    const job = placed()
    job.tries(['mollie', SILENT])
    job.tell({ do: 'cancel', by: 'shop' })
    expect(shown(job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    job.tries(['mollie', TOOK])
    expect(job.due('stop')).toBeLessThanOrEqual(0)
  })

  it('makes the job CANCELLED if the order never began', () => {
    const job = placed()
    job.tries(['mollie', SILENT])
    job.tell({ do: 'cancel', by: 'shop' })
    job.tries(['mollie', { is: 'refused', message: 'terminal_unreachable: It never began.' }])
    expect(job.status()).toBe('CANCELLED')
  })
})

it('release 1.0 reads no entry of a job at a terminal', () => {
  const job = atTerminal()
  expect(job.entries.map(({ facts }) => versionOf(facts))[0]).toBe(2)
})
