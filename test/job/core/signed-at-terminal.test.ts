import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import type { FactOf } from '../../../src/job/core/facts.ts'
import { represent } from '../../../src/job/core/show.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  NOW,
  NO_ANSWER,
  playedBirth,
  playedJob,
  seen,
} from '../../support/jobs/played-job.ts'

const TOOK = { is: 'took', reference: 'tr_1', terminal: 'term_1', expiresAt: null } as const
const WAITING = seen('PENDING', 0, { stage: { is: 'open' } })

/** A job whose terminal has the order, at a PSP that signs authorisations. */
function atTerminal(): Job {
  return playedBirth({ terminal: { id: 'term_1', account: 'mollie' }, paymentMethod: 'terminal' }, [
    'mollie',
    TOOK,
  ])
}

/** The moves that a PSP signs with an authorisation. */
function signed(amount = AMOUNT): Partial<FactOf<'notified'>> {
  const part: MoneyMove = { id: `part:${amount}`, kind: 'part', amount, currency: 'EUR', reference: 'psp_1' }
  return { reference: null, payment: 'psp_1', claims: 'SUCCESS', moves: [part] }
}
function notifies(job: Job, told: Parameters<Job['notified']>[0]) {
  job.now += MINUTE / 60
  job.notified({ ...told, came: job.now })
}
function isSilent(job: Job) {
  job.now += MINUTE / 60
  job.hears('duty', { answer: NO_ANSWER })
}
function shown({ state }: Job) {
  const { status, terminal, amountPaid, amountDue, amountTip, error } = represent(state)
  return { status, state: terminal?.state, amountPaid, amountDue, amountTip, error }
}

describe('given a payment at a terminal that the PSP has signed as authorised', () => {
  it('when the terminal does not answer, then it is paid: there is no other source', () => {
    const job = atTerminal()
    notifies(job, signed())
    expect(job.status()).toBe('PENDING')
    isSilent(job)
    expect(shown(job)).toMatchObject({
      status: 'SUCCESS',
      state: 'ended',
      amountPaid: '12.50',
      amountDue: '0.00',
    })
    expect(job.trace().at(-1)).toBe(`Statuspull SUCCESS ${AMOUNT}`)
    expect(job.owed()).toContain('report')
    expect(job.wants('refund', 'r1', { amount: AMOUNT })).toMatchObject({ ok: true })
  })

  it('when the terminal had been silent before, then the next silence is enough', () => {
    const job = atTerminal()
    isSilent(job)
    expect(shown(job).state).toBe('unknown')
    notifies(job, signed())
    isSilent(job)
    expect(job.status()).toBe('SUCCESS')
  })

  it('when the terminal does not know it any more, then it is paid', () => {
    const job = atTerminal()
    notifies(job, signed())
    job.now += MINUTE
    job.hears('duty', { answer: { is: 'unknown' } })
    expect(job.status()).toBe('SUCCESS')
  })

  it('when the answer to the question that the notification prompts is silence, then it is paid', () => {
    const job = atTerminal()
    const notified = {
      is: 'notified',
      came: job.now,
      account: 'mollie',
      reference: null,
      ...signed(),
    } as const
    job.hearsOf({ why: 'other', notified }, { answer: NO_ANSWER })
    expect(job.status()).toBe('SUCCESS')
  })

  it('when the terminal answers, then its answer counts: it is not paid while the card is in use', () => {
    const job = atTerminal()
    notifies(job, signed())
    job.hears('other', { answer: WAITING })
    expect(job.status()).toBe('PENDING')
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { other: 'psp_1' }) })
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('when the terminal has reported another end, then a silence after it changes nothing', () => {
    const job = atTerminal()
    job.hears('other', { answer: seen('CANCELLED') })
    notifies(job, signed())
    isSilent(job)
    expect(shown(job)).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
  })

  it('when it was for more than the order, then the rest is a tip, until the terminal says better', () => {
    const job = atTerminal()
    notifies(job, signed(AMOUNT + 200))
    isSilent(job)
    expect(shown(job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '14.50',
      amountDue: '0.00',
      amountTip: '2.00',
    })
    job.now += MINUTE
    job.hears('other', { answer: seen('SUCCESS', AMOUNT + 200, { tip: 150 }) })
    expect(shown(job)).toMatchObject({ amountPaid: '14.50', amountTip: '1.50' })
  })

  it('when it was for less than the order, then that much is paid, and the job is not', () => {
    const job = atTerminal()
    notifies(job, signed(500))
    isSilent(job)
    expect(shown(job)).toMatchObject({ status: 'PENDING', amountPaid: '5.00', amountDue: '7.50' })
  })

  it('when the PSP has cancelled it since, then it is not paid', () => {
    const job = atTerminal()
    notifies(job, signed())
    const cancelled = {
      id: 'cancel',
      kind: 'refund',
      amount: AMOUNT,
      currency: 'EUR',
      of: 'psp_1',
      cancelled: true,
    } as const
    notifies(job, { reference: null, moves: [cancelled] })
    isSilent(job)
    expect(job.status()).toBe('PENDING')
  })

  it('when the job has expired in doubt, then it is paid late', () => {
    const job = atTerminal()
    for (let questions = 0; questions < 100 && job.status() === 'PENDING'; questions++) {
      job.untilDue('ask', 'stop')
      job.hears('duty', { answer: NO_ANSWER })
    }
    expect(job.status()).toBe('EXPIRED')
    notifies(job, signed())
    isSilent(job)
    expect(job.status()).toBe('SUCCESS')
    expect(job.state.late).toBe(true)
  })

  it('when the order was refused before, then the payment that the hub finds counts', () => {
    const job = playedBirth({ terminal: { id: 'term_1', account: 'mollie' }, paymentMethod: 'terminal' }, [
      'mollie',
      { is: 'refused', message: 'terminal_unreachable: No answer.' },
    ])
    expect(job.status()).toBe('FAILURE')
    job.tries(['mollie', TOOK])
    notifies(job, signed())
    isSilent(job)
    expect(shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', error: null })
  })

  it('when the money is counted, then it is counted once, however often the terminal stays silent', () => {
    const job = atTerminal()
    notifies(job, signed())
    for (const _ of [1, 2, 3]) isSilent(job)
    notifies(job, signed())
    isSilent(job)
    expect(shown(job).amountPaid).toBe('12.50')
    expect(job.state.movements).toHaveLength(1)
    expect(job.folded()).toEqual(job.state)
  })
})

it('given a payment on a page, when its PSP signs it and its API is silent, then it is not paid', () => {
  const job = playedJob()
  notifies(job, signed())
  isSilent(job)
  expect(job.status()).toBe('PENDING')
  expect(job.now).toBeGreaterThan(NOW)
})
