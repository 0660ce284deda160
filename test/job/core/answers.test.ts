import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { isSoonAfterRound } from '../../../src/job/core/attempts.ts'
import { isTaken } from '../../../src/job/core/notices.ts'
import { isOpen, whyStop } from '../../../src/job/core/stopping.ts'
import { represent } from '../../../src/job/core/show.ts'
import { untilOf } from '../../../src/job/core/state.ts'
import type { AskAnswer } from '../../../src/psp/answer.ts'
import {
  AMOUNT,
  AUTHORIZED,
  NOT_ASKED,
  NOW,
  NO_ANSWER,
  SILENT,
  TOOK,
  UNDER_WAY,
  WHERE,
  attemptsOf,
  paidJob,
  playedJob,
  seen,
} from '../../support/jobs/played-job.ts'

const PART = { kind: 'part', amount: AMOUNT } as const
const REFUSED = { is: 'refused', message: 'refused_method: not active' } as const

describe('a round of attempts', () => {
  it('has a separate step if the PSP refuses after the create', () => {
    const job = playedJob(['mollie', SILENT])
    job.now += MINUTE
    job.tries(['mollie', REFUSED])
    expect(job.trace()).toEqual(['Start PENDING 0', 'Statuspull FAILURE 0'])
  })

  it('counts once, however many accounts it asks', () => {
    const job = playedJob(['a', SILENT], ['b', SILENT])
    expect(job.due('announce')).toBeLessThanOrEqual(11_000)
    job.now += MINUTE
    job.tries(['a', SILENT], ['b', SILENT])
    expect(job.due('announce')).toBeGreaterThan(26_000)
    expect(job.due('announce')).toBeLessThan(34_000)
  })

  it('says that an account had too many orders, not that it does not answer', () => {
    const { error } = playedJob(['mollie', { ...NOT_ASKED, tooMany: true }]).state
    expect(error).toContain('too many orders')
    expect(error).not.toContain('2026')
  })

  it('gives the customer a day if the PSP names no end', () => {
    expect(untilOf(playedJob(['mollie', { ...TOOK, expiresAt: null }]).state)).toBe(NOW + DAY + MINUTE)
  })

  it('changes nothing if it brings a payment that the job already has', () => {
    const job = playedJob()
    job.tries(['mollie', TOOK])
    expect(job.state.payments).toHaveLength(1)
  })

  it('cannot be started by a customer within two seconds of a failed one, except that of the create', () => {
    const job = playedJob(['mollie', SILENT])
    expect(isSoonAfterRound(job.state, job.now)).toBe(false)
    job.tries(['mollie', SILENT])
    job.now += HOUR
    job.tries(['mollie', SILENT])
    expect(isSoonAfterRound(job.state, job.now + 2099)).toBe(true)
    expect(isSoonAfterRound(job.state, job.now + 2100)).toBe(false)
  })
})

describe('a create that comes again', () => {
  it('has all its attempts kept while no account has taken the order', () => {
    const job = playedJob(['a', SILENT])
    expect(job.tell({ do: 'create-again', attempts: attemptsOf([['a', SILENT]]) })).toHaveLength(1)
  })

  it.each([
    ['the payment that the job has', 'mollie', TOOK, 0],
    ['another payment at the same account', 'mollie', { ...TOOK, reference: 'tr_2' }, 1],
    ['a payment at another account', 'other', TOOK, 1],
    ['the silence of an account that the job knows', 'mollie', SILENT, 0],
    ['the silence of another account', 'other', SILENT, 1],
  ] as const)('and meets %s', (_, account, outcome, kept) => {
    const job = playedJob(['first', SILENT], ['mollie', TOOK])
    expect(job.tell({ do: 'create-again', attempts: attemptsOf([[account, outcome]]) })).toHaveLength(kept)
  })
})

describe('an answer', () => {
  it('about a payment that the job does not have changes nothing', () => {
    expect(playedJob().hearsOf({ account: 'unknown' }, { answer: seen('SUCCESS') })).toEqual([])
    const unannounced = playedJob(['mollie', SILENT])
    unannounced.now += 2 * DAY
    expect(unannounced.hears('duty', { answer: { is: 'unknown' } })).toEqual([
      { is: 'unanswered', ...WHERE, asked: unannounced.now, how: 'unknown', message: '' },
    ])
  })

  it('with less than was paid takes nothing back: a PSP that captures automatically has the money', () => {
    const job = playedJob()
    for (const paid of [500, 0]) job.hears('other', { answer: seen('PENDING', paid) })
    expect(represent(job.state)).toMatchObject({ amountPaid: '5.00' })
  })

  it('to an earlier question takes back no later total', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.now += HOUR
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 300 }) })
    job.hearsOf({ asked: job.now - MINUTE }, { answer: seen('SUCCESS', AMOUNT, { chargedBack: 0 }) })
    expect(represent(job.state)).toMatchObject({ amountChargedBack: '3.00' })
  })

  it.each(['chargedBack', 'refunded'] as const)(
    'from a clock that stepped back is no news, but makes the hub ask again if another total differs: %s',
    (total) => {
      const job = paidJob()
      job.hears('other', { answer: seen('SUCCESS', AMOUNT, { [total]: 100 }) })
      job.now -= 1000
      job.hears('other', { answer: seen('SUCCESS', AMOUNT, { [total]: 100 }) })
      expect(job.due('ask')).toBeNull()
      job.hears('other', { answer: seen('SUCCESS', AMOUNT, { [total]: 500 }) })
      expect(job.due('ask')).toBeLessThanOrEqual(1000)
    },
  )

  it('that comes late still counts if it says that more was paid', () => {
    const job = playedJob()
    job.now += MINUTE
    job.hears('other', { answer: seen('PENDING') })
    job.hearsOf({ asked: job.now - 1000 }, { answer: seen('PENDING', 500) })
    expect(represent(job.state)).toMatchObject({ amountPaid: '5.00' })
  })

  it('about another account’s payment ends no job', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hearsOf({ account: 'a' }, { answer: seen('CANCELLED') })
    expect(job.status()).toBe('PENDING')
    expect(job.state.payments.map(({ over }) => over)).toEqual([false, true])
  })

  it.each(['FAILURE', 'EXPIRED'] as const)(
    'that does not call %s final makes the hub keep asking',
    (status) => {
      const job = playedJob()
      const { closed: _, ...open } = seen(status)
      job.hears('other', { answer: open })
      expect(job.due('ask')).toBe(HOUR)
    },
  )

  it('without a stage leaves money under way', () => {
    const job = playedJob()
    job.hears('other', { answer: UNDER_WAY })
    job.now += HOUR
    job.hears('duty', { answer: seen('PENDING') })
    expect(job.state.standing).toEqual({ is: 'underway', since: NOW, until: NOW + 14 * DAY })
  })

  it('without money marks no job as late', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    job.now += HOUR
    job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    job.hears('duty', { answer: seen('EXPIRED') })
    expect(job.state.late).toBe(false)
  })

  it('to a customer who came back adds one entry, and a return without a question one step', () => {
    const job = playedJob(['mollie', SILENT])
    expect(job.tell({ do: 'record-return' })).toHaveLength(1)
    expect(job.tell({ do: 'record-return' })).toEqual([])
    expect(job.trace()).toEqual(['Start PENDING 0', 'Return PENDING 0'])
  })

  it('after which the PSP is silent, or for which others asked, is no return', () => {
    const reserved = playedJob().hears('back', { answer: AUTHORIZED }, { answer: NO_ANSWER })
    expect(reserved.map(({ is }) => is)).toEqual(['seen', 'unanswered'])
    expect(playedJob().hears('back', { answer: seen('PENDING') })).toHaveLength(1)
    expect(playedJob().hears('other', { answer: NO_ANSWER })).toHaveLength(1)
  })

  it.each([
    [2 * HOUR, 2 * HOUR],
    [5 * DAY, DAY],
  ])('makes the hub wait if it wants no question for %d ms, but a day at most', (wanted, kept) => {
    const job = playedJob()
    job.hears('duty', { answer: { ...NO_ANSWER, retryAfter: wanted / 1000 } })
    expect(job.due('ask')).toBe(kept)
  })

  it('ends the pause that a PSP wanted, whatever made the hub ask', () => {
    const job = playedJob()
    job.hears('duty', { answer: { ...NO_ANSWER, retryAfter: (2 * HOUR) / 1000 } })
    job.now += MINUTE
    job.hears('back', { answer: seen('PENDING') })
    expect(job.due('ask')).toBeLessThan(HOUR)
  })

  it.each<[AskAnswer, 'open' | 'reserved' | null]>([
    [seen('PENDING'), 'open'],
    [seen('PENDING', 0, { stage: { is: 'open' } }), 'open'],
    [UNDER_WAY, null],
    [AUTHORIZED, null],
    [seen('SUCCESS'), null],
    [{ ...AUTHORIZED, status: 'FAILURE' }, null],
    [NO_ANSWER, null],
    [{ is: 'unknown' }, null],
  ])('says what may be stopped: %#', (answer, kind) => {
    expect(isOpen(answer)).toBe(kind === 'open')
  })
})

describe('a stop', () => {
  it('at the end of an unpaid order is one step', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: seen('EXPIRED'), stopped: 'expiry' })
    expect(job.trace()).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
  })

  it('that ends a payment with a known part has no step for that part', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('PENDING', 500) })
    job.now += DAY + MINUTE
    job.hears('duty', { answer: seen('CANCELLED', 500), stopped: 'expiry' })
    expect(job.trace().slice(1)).toEqual(['Statuspull PENDING 500', 'Expire EXPIRED 500'])
  })

  it('without a final word makes the hub keep asking, even if a part came in the last moment', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: seen('CANCELLED', 500, { closed: false }), stopped: 'expiry' })
    expect(job.trace().at(-1)).toBe('Expire EXPIRED 500')
    expect(job.due('ask')).toBe(HOUR)
  })

  it.each([
    ['expiry', 'SUCCESS', `Statuspull SUCCESS ${AMOUNT}`],
    ['expiry', 'PENDING', 'Statuspull PENDING 0'],
    ['gave-up', 'CANCELLED', 'Return CANCELLED 0'],
    ['cancel', 'CANCELLED', 'Cancel CANCELLED 0'],
    ['cancel', 'SUCCESS', `Statuspull SUCCESS ${AMOUNT}`],
    ['cancel', 'FAILURE', 'Statuspull FAILURE 0'],
    ['not-wanted', 'CANCELLED', 'Statuspull CANCELLED 0'],
  ] as const)('because of %s that meets %s is the step %s', (stopped, status, step) => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('other', { answer: seen(status), stopped })
    expect(job.trace()).toEqual(['Start PENDING 0', step])
  })

  it('is wanted from the end of the time to pay on, unless the PSP lets the customer pay for longer', () => {
    const { state } = playedJob()
    const until = untilOf(state)
    const why = (asked: number, expiresAt: number) =>
      whyStop(state, { where: WHERE, asked }, seen('PENDING', 0, { expiresAt }), false)
    expect([why(until - 1, until), why(until, until), why(until, until + 1)]).toEqual([null, 'expiry', null])
  })

  it('is wanted for what an ended job, or another account, still lets the customer pay', () => {
    const ended = playedJob()
    ended.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    const question = { where: WHERE, asked: NOW }
    expect(whyStop(ended.state, question, seen('PENDING'), false)).toBe('not-wanted')
    const passedOver = playedJob(['a', SILENT], ['mollie', TOOK])
    passedOver.tries(['a', TOOK])
    const elsewhere = { ...question, where: { ...WHERE, account: 'a' } }
    expect(whyStop(passedOver.state, elsewhere, seen('PENDING'), false)).toBe('not-wanted')
    expect(whyStop(passedOver.state, question, seen('PENDING'), false)).toBeNull()
  })
})

describe('money that never comes', () => {
  it('ends the job at the end of its time, once the PSP answers then', () => {
    const job = playedJob()
    job.hears('other', { answer: UNDER_WAY })
    job.now += 14 * DAY - 1
    job.hears('duty', { answer: UNDER_WAY })
    expect(job.status()).toBe('PENDING')
    job.now += 1
    job.hears('duty', { answer: NO_ANSWER })
    expect(job.status()).toBe('PENDING')
    job.hears('duty', { answer: UNDER_WAY })
    expect(job.trace().at(-1)).toBe('Expire EXPIRED 0')
  })
})

describe('a PSP that is silent all the time', () => {
  it('gets its three days of questions after the time to pay, and the job knows since when it is silent', () => {
    const job = playedJob()
    for (let questions = 0; job.status() === 'PENDING' && questions < 100; questions++) {
      job.untilDue('ask', 'stop')
      job.hears('duty', { answer: NO_ANSWER })
    }
    expect(job.now - untilOf(playedJob().state)).toBeGreaterThan(2.5 * DAY)
    expect(job.state.payments[0]?.asks.unanswered).toMatchObject({ since: NOW + 10 * MINUTE })
  })
})

describe('a notification', () => {
  it.each([
    ['an end counts while the API says PENDING', 'FAILURE', seen('PENDING'), 'FAILURE'],
    ['an end does not count if the API says another', 'FAILURE', seen('CANCELLED'), 'CANCELLED'],
    ['"paid" never counts', 'SUCCESS', seen('PENDING', AMOUNT), 'PENDING'],
    ['an end does not count while the PSP does not answer', 'EXPIRED', NO_ANSWER, 'PENDING'],
  ] as const)('with a claim: %s', (_, claims, answer, status) => {
    const job = playedJob()
    const notified = { is: 'notified', came: job.now, ...WHERE, claims } as const
    job.hearsOf({ notified }, { answer })
    expect(job.status()).toBe(status)
  })

  it('that names no payment of the job takes nothing from it', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const moves = [{ id: 'm1', kind: 'chargeback', amount: 300 }] as const
    const elsewhere = { account: 'a', reference: null }
    job.notified({ ...elsewhere, moves: [...moves] })
    expect(represent(job.state)).not.toHaveProperty('amountChargedBack')
    expect(job.notified(elsewhere)).toEqual([])
  })
})

describe('a notification that is kept', () => {
  const SIGNED = { moves: ['gift', 'card'].map((reference) => ({ ...PART, id: reference, reference })) }
  const claimed = { is: 'notified', came: NOW, ...WHERE } as const

  it('says what the job does not know yet, while a question is due already', () => {
    const job = playedJob()
    const news = [
      {},
      { claims: 'FAILURE' as const },
      { claims: 'SUCCESS' as const },
      { claims: 'SUCCESS' as const },
      SIGNED,
      SIGNED,
      { payment: 'card' },
      { payment: 'gift' },
      { payment: 'other' },
    ].map((told) => job.notified(told).length)
    expect(news).toEqual([1, 0, 1, 0, 1, 0, 0, 0, 1])
  })

  it('says nothing by claiming that a paid job is paid', () => {
    const job = paidJob()
    expect([job.notified().length, job.notified({ claims: 'SUCCESS' }).length]).toEqual([1, 0])
  })

  it.each([
    ['a claim that the answer does not confirm', { claims: 'SUCCESS' }, [seen('PENDING')], true],
    ['a claim that an answer confirms', { claims: 'SUCCESS' }, [seen('PENDING'), seen('SUCCESS')], false],
    ['a claim of an end', { claims: 'FAILURE' }, [seen('PENDING')], true],
    ['no claim', {}, [seen('PENDING')], false],
  ] as const)('joins the entry of an answer if it has %s', (_, told, answers, isKept) => {
    const job = playedJob()
    const facts = job.hearsOf(
      { why: 'back', notified: { ...claimed, ...told } },
      ...answers.map((answer) => ({ answer })),
    )
    expect(facts.some(({ is }) => is === 'notified')).toBe(isKept)
  })

  it('need not be sent again if the journal has what it says, or the hub asks on its own', () => {
    const job = playedJob()
    const stored = (told = {}) => isTaken(job.state, { ...claimed, ...told }, false)
    expect([stored(), stored({ claims: 'SUCCESS' }), stored({ account: 'unknown' })]).toEqual([
      false,
      true,
      false,
    ])
    job.notified()
    expect([stored(), stored({ payment: 'card' }), stored({ account: 'unknown' })]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('prompts its question at once although it says nothing, while only a few like it have come', () => {
    const job = playedJob()
    for (let times = 0; times < 8; times++) {
      job.now += 10 * MINUTE
      job.notified()
      expect(job.due('ask')).toBeLessThan(3000)
      job.hears('other', { answer: seen('PENDING') })
    }
  })

  it('prompts its question at once if it says something, however many bare ones came', () => {
    for (const notification of [{ payment: 'card' }, { claims: 'SUCCESS' } as const, SIGNED, {}]) {
      const job = playedJob()
      for (const wait of [...Array<number>(16).fill(10 * MINUTE), MINUTE]) {
        job.notified()
        job.now += wait
        job.hears('other', { answer: seen('PENDING') })
      }
      job.notified(notification)
      if (Object.keys(notification).length > 0) expect(job.due('ask')).toBeLessThan(3000)
      else expect(job.due('ask')).toBeGreaterThan(MINUTE)
    }
  })
})

describe('a command that changes nothing', () => {
  it('is the silence that two duties share', () => {
    const job = playedJob()
    const { now: asked } = job
    const silent = () => job.hearsOf({ asked, why: 'duty' }, { answer: NO_ANSWER }).length
    expect([silent(), silent()]).toEqual([1, 0])
  })

  it('is an answer without news, unless it ends the questions', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    const recorded: number[] = []
    while (job.due('ask') !== null) {
      job.untilDue('ask')
      recorded.push(job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) }).length)
    }
    expect(recorded).toEqual([...recorded.slice(1).map(() => 0), 1])
  })

  it('is a row that is written, and time that has passed', () => {
    const job = playedJob()
    const row = { do: 'record-row', entry: 1, digest: 'd1' } as const
    expect([job.tell(row).length, job.tell(row).length]).toEqual([1, 0])
    const time = { do: 'let-time-pass', to: HOUR } as const
    expect([job.tell(time).length, job.tell(time).length]).toEqual([1, 0])
  })
})

it('a customer who asks often while the PSP refuses the account uses up no try of the plan, and adds no entry', () => {
  const job = playedJob()
  job.notified()
  const refused = { answer: { ...NO_ANSWER, accountRefused: true } } as const
  job.hears('duty', refused)
  const { length } = job.entries
  for (let visit = 0; visit < 2; visit++) {
    job.now += 2000
    job.hears('back', refused)
  }
  expect(job.entries.length - length).toBeLessThanOrEqual(1)
  expect(job.state.payments[0]?.asks.prompted?.tries).toBe(1)
  job.untilDue('ask')
  job.hears('duty', refused)
  expect(job.state.payments[0]?.asks.prompted?.tries).toBe(2)
})
