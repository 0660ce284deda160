import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import type { PaymentAnswer } from '../../../src/job/core/decide.ts'
import { whyStop } from '../../../src/job/core/stopping.ts'
import { represent, representCreated } from '../../../src/job/core/show.ts'
import { isPending, untilOf } from '../../../src/job/core/state.ts'
import type { MoneyMove, Observation, Observed } from '../../../src/psp/answer.ts'
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
  playedJob,
  reserved,
  seen,
} from '../../support/jobs/played-job.ts'
import { ofKind } from '../../../src/job/core/payment.ts'

/** Another value of each member of an answer that does not move the job. */
const NEWS = {
  expiresAt: NOW + 2 * DAY,
  refunded: 100,
  chargedBack: 100,
  authorized: AMOUNT + 100,
  released: 100,
  authorizedAt: NOW + 1,
  captureBefore: NOW + 9 * DAY,
  inParts: true,
  progress: 'card-read',
  tip: 100,
  card: { brand: 'visa', lastFour: '4242' },
  other: 'pi_2',
  transfers: { refund: [{ id: 're_1', amount: 100, state: 'pending' }] },
} satisfies Required<Omit<Observation, 'status' | 'paid' | 'stage' | 'closed' | 'reason'>>

const REFUSED = { is: 'refused', message: 'refused_amount: too small' } as const

describe('a new job', () => {
  it('is open if an account took its order, and the PSP is asked after ten minutes', () => {
    const job = playedJob()
    expect(representCreated(job.state)).toMatchObject({ status: 'PENDING', amountPaid: 0, error: null })
    expect(job.trace()).toEqual(['Start PENDING 0'])
    expect(job.owed().toSorted()).toEqual(['ask', 'expire', 'row'])
    expect(job.due('ask')).toBe(10 * MINUTE)
    expect(job.state.entry.number).toBe(1)
  })

  it('has failed, in the same step, if its order was refused, and its report is due at once', () => {
    const job = playedJob(['mollie', REFUSED])
    expect(represent(job.state)).toMatchObject({ status: 'FAILURE', error: REFUSED.message })
    expect(job.trace()).toEqual(['Start FAILURE 0'])
    expect(job.due('report')).toBe(0)
    expect(job.owed()).not.toContain('announce')
  })

  it('shows what the first account of the route answered if no account took its order', () => {
    const job = playedJob(['first', SILENT], ['second', { is: 'no-answer', message: 'Another word.' }])
    expect(represent(job.state)).toMatchObject({ status: 'PENDING', error: SILENT.message })
  })

  it('says since when its only account has been silent, if the hub did not ask that', () => {
    expect(playedJob(['mollie', NOT_ASKED]).state.error).toContain('2026-01-31T09:59:00Z')
  })
})

describe('an order that no account took', () => {
  it('is announced again less and less often, and expires a day later', () => {
    const job = playedJob(['mollie', SILENT])
    const pauses: number[] = []
    while (job.due('announce') !== null) {
      pauses.push(job.due('announce') ?? 0)
      job.untilDue('announce')
      job.tell({ do: 'record-attempts', attempts: attemptsOf([['mollie', SILENT]], job.now - 100) })
    }
    expect(pauses.slice(0, 7).map((pause) => pause > 8_900 && pause < 1.1 * HOUR)).not.toContain(false)
    expect(pauses.slice(0, 6)).toEqual(pauses.slice(0, 6).toSorted((one, other) => one - other))
    expect(pauses.length).toBeGreaterThan(20)
    // An hour before the end a customer or an operator may still want another try.
    expect(job.now - NOW).toBe(DAY - MINUTE)
    job.untilDue('expire')
    expect(job.now - NOW).toBe(DAY)
    job.tell({ do: 'expire' })
    expect(job.trace()).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
  })

  it('is not announced for as long as the PSP wants no request', () => {
    const job = playedJob(['mollie', { ...SILENT, notBefore: NOW + 3 * HOUR }])
    expect(job.due('announce')).toBe(3 * HOUR)
  })

  it('is taken in the end: the error is gone, and the customer has as long as the PSP says', () => {
    const job = playedJob(['mollie', SILENT])
    const { lastUpdate } = represent(job.state)
    job.now += HOUR
    job.tries(['mollie', TOOK])
    expect(represent(job.state)).toMatchObject({ status: 'PENDING', error: null })
    expect(represent(job.state).lastUpdate > lastUpdate).toBe(true)
    expect(untilOf(job.state)).toBe(NOW + DAY + MINUTE)
    expect(job.owed()).not.toContain('announce')
  })

  it('is cancelled at once', () => {
    const job = playedJob(['mollie', SILENT])
    job.tell({ do: 'cancel', by: 'shop' })
    expect(job.trace()).toEqual(['Start PENDING 0', 'Cancel CANCELLED 0'])
  })

  it('does not expire before its time', () => {
    const job = playedJob(['mollie', SILENT])
    expect(job.tell({ do: 'expire' })).toEqual([])
  })
})

describe('a payment that goes well', () => {
  it('writes four entries, after which nothing but the purge is left', () => {
    const job = playedJob()
    job.now += 20_000
    job.hears('back', { answer: seen('SUCCESS') })
    job.report('200')
    job.indexed()
    expect(job.entries).toHaveLength(4)
    expect(job.owed()).toEqual(['purge'])
    expect(job.trace()).toEqual(['Start PENDING 0', `Return SUCCESS ${AMOUNT}`])
    expect(represent(job.state)).toMatchObject({ amountPaid: '12.50', amountDue: '0.00' })
  })
})

describe('an answer of the PSP', () => {
  it.each(['FAILURE', 'CANCELLED', 'EXPIRED'] as const)('ends an open job: %s', (status) => {
    const job = playedJob()
    job.hears('other', { answer: seen(status) })
    expect(job.trace()).toEqual(['Start PENDING 0', `Statuspull ${status} 0`])
    expect(job.due('report')).toBe(0)
  })

  it('that says SUCCESS for a part of the amount ends nothing, and the job shows what is due', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 500) })
    expect(represent(job.state)).toMatchObject({
      status: 'PENDING',
      amountPaid: '5.00',
      amountDue: '7.50',
    })
  })

  it.each([
    ['whose rest was released', AUTHORIZED],
    ['that was made in part', seen('PENDING')],
  ])(
    'that says SUCCESS for a payment %s is the last word: the job ends at its time, and not later',
    (_, before) => {
      const job = playedJob()
      job.hears('back', { answer: before })
      const part = { answer: seen('SUCCESS', 800) }
      job.hears('other', part)
      expect(job.state.standing.is).toBe('open')
      for (let looks = 0; looks < 20 && isPending(job.state); looks++) {
        job.untilDue('ask', 'stop')
        job.hears('duty', part)
      }
      expect(job.trace().at(-1)).toBe('Expire EXPIRED 800')
      expect(job.now).toBeLessThan(untilOf(playedJob().state) + MINUTE)
      expect(job.owed()).not.toContain('ask')
      job.hears('other', { answer: seen('SUCCESS') })
      expect(represent(job.state)).toMatchObject({ status: 'SUCCESS', amountDue: '0.00' })
    },
  )

  it('takes back no money that was paid, and ends no paid job', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.now += 1000
    job.hears('other', { answer: seen('FAILURE', 0) })
    expect(represent(job.state)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('without news adds no entry, whatever made the hub ask', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('PENDING') })
    job.now += MINUTE
    expect(job.hears('other', { answer: seen('PENDING') })).toEqual([])
    expect(job.hears('duty', { answer: seen('PENDING') })).toEqual([])
    expect(job.trace()).toHaveLength(2)
  })

  it.each(Object.entries(NEWS))('adds an entry, once, if it has another `%s`', (name, value) => {
    // A second payment, because that of the customer moves the job too.
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    const hears = (answer: Observed) => job.hearsOf({ account: 'a' }, { answer })
    hears(reserved(500))
    expect(hears({ ...reserved(500), [name]: value })).toHaveLength(1)
    expect(hears({ ...reserved(500), [name]: value })).toEqual([])
  })

  it('that repeats that the payment is paid adds no entry', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.now += MINUTE
    expect(job.hears('other', { answer: seen('SUCCESS') })).toEqual([])
  })

  it('adds one step for the customer who came back, even if the PSP is silent', () => {
    const job = playedJob()
    job.hears('back', { answer: NO_ANSWER })
    job.hears('back', { answer: NO_ANSWER })
    expect(job.trace()).toEqual(['Start PENDING 0', 'Return PENDING 0'])
    expect(job.state.payments[0]?.asks.unanswered).toMatchObject({ how: 'silent' })
  })

  it('brings an ended job the money that came after all, and marks it as late', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    job.now += HOUR
    job.hears('other', { answer: seen('SUCCESS') })
    expect(job.status()).toBe('SUCCESS')
    expect(job.state.late).toBe(true)
  })

  it('moves the end of an open job to the end that the PSP names', () => {
    const job = playedJob()
    job.hears('duty', { answer: seen('PENDING', 0, { expiresAt: NOW + 2 * DAY }) })
    expect(untilOf(job.state)).toBe(NOW + 2 * DAY + MINUTE)
  })
})

describe('money that is under way', () => {
  it('is waited for as long as its method takes, from when it was first seen, and the trace shows it', () => {
    const job = playedJob()
    job.hears('back', { answer: UNDER_WAY })
    const until = untilOf(job.state)
    job.now += DAY
    job.hears('duty', { answer: UNDER_WAY })
    expect([untilOf(job.state), until]).toEqual([until, NOW + 14 * DAY])
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ stage: 'underway' })
    expect(job.status()).toBe('PENDING')
  })

  it('that is open again lets the customer pay at the PSP again', () => {
    const job = playedJob()
    job.hears('back', { answer: UNDER_WAY })
    job.now += HOUR
    job.hears('duty', { answer: seen('PENDING', 0, { stage: { is: 'open' }, expiresAt: NOW + DAY }) })
    expect(job.state.standing).toEqual({ is: 'open', until: NOW + DAY + MINUTE })
    expect(job.folded()?.standing).toEqual(job.state.standing)
  })

  it('is waited for no longer than ninety days', () => {
    const job = playedJob()
    job.hears('back', { answer: seen('PENDING', 0, { stage: { is: 'underway', patience: 900 * DAY } }) })
    expect(untilOf(job.state)).toBe(NOW + 90 * DAY)
  })

  it('that was reserved and is then captured adds one entry', () => {
    const job = playedJob()
    job.hears('back', { answer: AUTHORIZED }, { answer: seen('SUCCESS') })
    expect(job.entries).toHaveLength(2)
    expect(job.trace().at(-1)).toBe(`Return SUCCESS ${AMOUNT}`)
  })
})

describe('a payment that the customer does not make', () => {
  it.each([
    ['whose customer came back is asked about at eight ages', 'back', [1, 3, 10, 30, 60, 180, 360, 720]],
    ['whose customer did not come back is asked about once', 'other', [10]],
  ] as const)('%s, stopped at its end, and expires', (_, why, expected) => {
    const job = playedJob()
    job.hears(why, { answer: seen('PENDING') })
    const ages: number[] = []
    while (job.due('ask') !== null && job.due('stop') === null) {
      job.untilDue('ask')
      ages.push((job.now - NOW) / MINUTE)
      job.hears('duty', { answer: seen('PENDING') })
    }
    expect(ages).toEqual(expected)
    job.untilDue('stop')
    expect(job.now - NOW).toBe(DAY + MINUTE)
    job.hears('duty', { answer: seen('CANCELLED'), stopped: 'expiry' })
    expect(job.trace().at(-1)).toBe('Expire EXPIRED 0')
    expect(job.owed().toSorted()).toEqual(['report', 'row'])
  })

  it('shows a part that is paid in the last moment before it expires', () => {
    const job = playedJob()
    job.now += 2 * DAY
    job.hears('duty', { answer: seen('CANCELLED', 400), stopped: 'expiry' })
    expect(job.trace().slice(1)).toEqual(['Statuspull PENDING 400', 'Expire EXPIRED 400'])
  })

  it.each<[string, PaymentAnswer]>([
    ['was silent', { answer: NO_ANSWER }],
    ['left it open', { answer: seen('PENDING'), stopped: 'expiry' }],
  ])('ends when the PSP %s for three days of questions, not by an outage of the hub', (_, answered) => {
    const job = playedJob()
    job.now += 10 * DAY
    const began = job.now
    for (let questions = 0; job.status() === 'PENDING' && questions < 100; questions++) {
      job.untilDue('ask', 'stop')
      job.hears('duty', answered)
    }
    expect(job.status()).toBe('EXPIRED')
    expect((job.now - began) / DAY).toBeGreaterThan(2.8)
    expect((job.now - began) / DAY).toBeLessThan(3.5)
    // The customer may have paid: the hub keeps asking, and the answer still counts.
    expect(job.owed().some((duty) => duty === 'ask' || duty === 'stop')).toBe(true)
    job.hears('duty', { answer: seen('SUCCESS') })
    expect([job.status(), job.state.late]).toEqual(['SUCCESS', true])
  })

  it('does not end because the PSP refuses the key: the hub asks hourly for a week, then daily, and gives up after ninety days', () => {
    const job = playedJob()
    job.now += 2 * DAY
    const began = job.now
    const questions: number[] = []
    while (job.status() === 'PENDING' && questions.length < 1000) {
      job.untilDue('ask', 'stop')
      questions.push(job.now)
      job.hears('duty', { answer: { ...NO_ANSWER, accountRefused: true } })
    }
    const pauses = questions.slice(1).map((at, place) => at - (questions[place] ?? 0))
    expect(Math.max(...pauses.slice(0, 160))).toBeLessThan(1.1 * HOUR)
    expect(Math.min(...pauses)).toBeGreaterThan(HOUR / 2)
    expect(Math.min(...pauses.slice(-60))).toBeGreaterThan(DAY / 2)
    expect((job.now - began) / DAY).toBeGreaterThan(85)
    expect((job.now - began) / DAY).toBeLessThan(92)
    expect(job.status()).toBe('EXPIRED')
  })

  it('is asked about no sooner if the PSP refuses the key after it left questions at the end open', () => {
    const job = playedJob()
    job.now += 2 * DAY
    for (const refused of [false, false, true, true]) {
      job.untilDue('ask', 'stop')
      job.hears('duty', { answer: refused ? { ...NO_ANSWER, accountRefused: true } : NO_ANSWER })
    }
    expect(job.due('ask', 'stop')).toBeGreaterThan(HOUR / 2)
    job.untilDue('ask', 'stop')
    job.hears('duty', { answer: seen('SUCCESS') })
    expect(job.status()).toBe('SUCCESS')
  })

  it('is given up no sooner because others ask about it all the time', () => {
    const job = playedJob()
    job.now += 2 * DAY
    for (let questions = 0; questions < 100; questions++) {
      job.hears('back', { answer: NO_ANSWER })
      job.hears('duty', { answer: NO_ANSWER })
      job.now += 2000
    }
    expect(job.status()).toBe('PENDING')
    job.now += HOUR
    expect(job.due('ask', 'stop')).toBeLessThan(3 * HOUR)
  })

  it('ends no sooner because the PSP does not know it', () => {
    const job = playedJob()
    job.now += 2 * DAY
    job.hears('duty', { answer: { is: 'unknown' } })
    expect(job.status()).toBe('PENDING')
    expect(job.state.payments[0]?.asks.unanswered).toMatchObject({ how: 'unknown', count: 1 })
  })
})

describe('after the end', () => {
  it('the hub asks the PSP for thirty days, more and more rarely, while the customer could still pay', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    const ages: number[] = []
    while (job.due('ask', 'stop') !== null) {
      job.untilDue('ask', 'stop')
      ages.push(Math.round((job.now - NOW) / HOUR))
      job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    }
    expect(ages).toEqual([1, 24, 72, 168, 336, 720])
  })

  it('the hub asks a silent PSP hourly, then daily, until it answers, for ninety days at most', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    const ages: number[] = []
    while (job.due('ask', 'stop') !== null && ages.length < 1000) {
      job.untilDue('ask', 'stop')
      ages.push((job.now - NOW) / DAY)
      job.hears('duty', { answer: NO_ANSWER })
    }
    expect(ages.filter((age) => age < 2).length).toBeGreaterThan(40)
    expect(ages.at(-1)).toBeGreaterThan(85)
    expect(ages.at(-1)).toBeLessThan(91)
    expect(job.owed()).not.toContain('ask')
  })

  it('the hub asks a PSP that answers again as rarely as before', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    job.untilDue('ask', 'stop')
    job.hears('duty', { answer: NO_ANSWER })
    expect(job.due('ask', 'stop')).toBeLessThan(1.2 * HOUR)
    job.untilDue('ask', 'stop')
    job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    expect(job.due('ask', 'stop')).toBeGreaterThan(20 * HOUR)
  })

  it('the hub asks no more once the word of the PSP is final', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('CANCELLED') })
    expect(job.due('ask', 'stop')).toBeNull()
  })
})

describe('a notification that was acknowledged', () => {
  it('has the hub ask at once, and again soon until the PSP answers', () => {
    const job = playedJob()
    job.hears('duty', { answer: seen('SUCCESS') })
    job.now = NOW + DAY
    job.notified()
    expect(job.due('ask')).toBe(0)
    job.hears('duty', { answer: NO_ANSWER })
    expect(job.due('ask')).toBeLessThan(6000)
    for (let questions = 0; questions < 3; questions++) {
      job.untilDue('ask')
      job.hears('duty', { answer: NO_ANSWER })
    }
    expect(job.now - NOW - DAY).toBeLessThan(5 * MINUTE)
    job.untilDue('ask')
    job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 500 }) })
    expect(job.due('ask')).toBeNull()
    expect(represent(job.state)).toMatchObject({ amountChargedBack: '5.00' })
  })

  it('prompts a question two seconds after an answer at the earliest', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.notified()
    expect(job.due('ask')).toBe(2000)
  })

  it('needs an answer to a question that was asked after it', () => {
    const job = playedJob()
    const questionTime = job.now
    job.now += 5000
    job.notified()
    job.hearsOf({ asked: questionTime }, { answer: seen('PENDING') })
    expect(job.due('ask')).toBe(0)
  })

  it('is kept, once, if only it has the reference that refunds need or how a refund ended', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.now += MINUTE
    job.refund('r1', 500)
    job.answered('r1', { is: 'taken', reference: 're_1', state: 'pending' })
    const refused = { id: 'm1', kind: 'refund-failed', amount: 0, reference: 're_1' } as const
    const hears = (told: { payment: string } | { moves: MoneyMove[] }) => {
      job.now += MINUTE
      const notified = { is: 'notified', came: job.now, ...WHERE, ...told } as const
      return job.hearsOf({ notified }, { answer: seen('SUCCESS') })
    }
    expect(hears({ payment: 'psp_1' })).toHaveLength(2)
    expect(job.state.payments[0]?.other).toBe('psp_1')
    expect(hears({ payment: 'psp_1' })).toEqual([])
    expect(hears({ moves: [refused] })).toHaveLength(2)
    expect(ofKind(job.state, 'refund')[0]?.state).toBe('failed')
    expect(hears({ moves: [refused] })).toEqual([])
  })

  it('adds nothing while a question is due already, unless it says more', () => {
    const job = playedJob()
    job.notified()
    expect(job.notified()).toEqual([])
    expect(job.notified({ moves: [{ id: 'm1', kind: 'chargeback', amount: 100 }] })).toHaveLength(1)
  })

  it.each(['PENDING', 'EXPIRED'] as const)(
    'that signs "paid" has the hub ask again within seconds while the API says %s',
    (status) => {
      const job = playedJob()
      const notified = { is: 'notified', came: job.now, ...WHERE, claims: 'SUCCESS' } as const
      job.now += 1000
      job.hearsOf({ notified }, { answer: seen(status) })
      expect(job.due('ask')).toBeLessThan(10_000)
      job.untilDue('ask')
      job.hears('duty', { answer: seen(status) })
      expect(job.due('ask')).toBeGreaterThan(10_000)
      expect(job.due('ask')).toBeLessThan(60_000)
      job.untilDue('ask')
      job.hears('duty', { answer: seen('SUCCESS') })
      expect(job.owed()).not.toContain('ask')
    },
  )

  it('that signs "paid" still has the hub ask after a later one says less', () => {
    const job = playedJob()
    job.notified({ claims: 'SUCCESS' })
    job.now += 1000
    const notified = { is: 'notified', came: job.now, ...WHERE, payment: 'psp_1' } as const
    job.hearsOf({ notified }, { answer: seen('PENDING') })
    expect(job.due('ask')).toBeLessThan(10_000)
  })

  it('that signs a part as paid is answered by an API that says open', () => {
    const job = playedJob()
    const tells = (reference: string, amount: number) => {
      const moves: MoneyMove[] = [{ id: reference, kind: 'part', amount, reference }]
      const notified = { is: 'notified', came: job.now, ...WHERE, moves, claims: 'SUCCESS' } as const
      job.now += 1000
      job.hearsOf({ notified }, { answer: seen('PENDING') })
      return job.due('ask')
    }
    expect(tells('gift', 500)).toBeGreaterThan(10_000)
    expect(tells('card', AMOUNT - 500)).toBeLessThan(10_000)
  })

  it('that only says something happened is answered by an API that says open', () => {
    const job = playedJob()
    job.now += 10_000
    job.notified()
    job.hears('duty', { answer: seen('PENDING') })
    expect(job.due('ask')).toBeGreaterThan(30_000)
  })
})

describe('a cancel', () => {
  it('has the hub stop the open payment, and the PSP then says that it is cancelled', () => {
    const job = playedJob()
    job.tell({ do: 'cancel', by: 'operator' })
    expect(job.due('stop')).toBe(0)
    job.hears('other', { answer: seen('CANCELLED'), stopped: 'cancel' })
    expect(job.trace().at(-1)).toBe('Cancel CANCELLED 0')
    expect(job.state.cancel).toMatchObject({ by: 'operator' })
  })

  it('comes too late if the customer has paid meanwhile', () => {
    const job = playedJob()
    job.tell({ do: 'cancel', by: 'shop' })
    job.hears('other', { answer: seen('SUCCESS'), stopped: 'cancel' })
    expect(job.status()).toBe('SUCCESS')
    expect(job.tell({ do: 'cancel', by: 'shop' })).toEqual([])
  })
})

describe('a cancel while money is under way', () => {
  it.each([
    ['on its way', UNDER_WAY],
    ['reserved', AUTHORIZED],
  ])('is refused, and stops no payment later: %s', (_, answer) => {
    const job = playedJob()
    job.hears('other', { answer })
    expect(job.tell({ do: 'cancel', by: 'shop' })).toEqual([])
    job.now += HOUR
    job.hears('other', { answer: seen('PENDING') })
    expect(whyStop(job.state, { where: WHERE, asked: job.now }, seen('PENDING'), false)).toBeNull()
  })
})

describe('why a payment is stopped', () => {
  const question = (asked: number, where = WHERE) => ({ where, asked, why: 'duty' as const })
  const open = seen('PENDING')

  it.each([
    ['not before its time', playedJob(), question(NOW), open, false, null],
    ['at its time', playedJob(), question(NOW + 2 * DAY), open, false, 'expiry'],
    ['if the customer gave up', playedJob(), question(NOW), open, true, 'gave-up'],
    ['not while money is coming', playedJob(), question(NOW + 2 * DAY), UNDER_WAY, true, null],
    ['not while the PSP is silent', playedJob(), question(NOW + 2 * DAY), NO_ANSWER, true, null],
    [
      'not while the PSP keeps it open for longer than the hub knew',
      playedJob(),
      question(NOW + 2 * DAY),
      seen('PENDING', 0, { expiresAt: NOW + 3 * DAY }),
      false,
      null,
    ],
  ] as const)('%s', (_, job, asked, answer, isGivenUp, stop) => {
    expect(whyStop(job.state, asked, answer, isGivenUp)).toBe(stop)
  })

  it('if a shop cancelled the job, or another payment has settled it', () => {
    const cancelled = playedJob()
    cancelled.tell({ do: 'cancel', by: 'shop' })
    expect(whyStop(cancelled.state, question(NOW), open, false)).toBe('cancel')
    const paid = playedJob()
    paid.hears('other', { answer: seen('SUCCESS') })
    expect(whyStop(paid.state, question(NOW), open, false)).toBe('not-wanted')
  })
})

describe('an account that was passed over', () => {
  const other = { ...TOOK, reference: 'a_1' }
  const passedOver = () => playedJob(['a', SILENT], ['b', { ...TOOK, reference: 'b_1' }])

  it('is looked at after a minute, and ever more rarely for thirty days', () => {
    const job = passedOver()
    let looks = 0
    for (; job.due('look') !== null && looks < 60; looks++) {
      job.untilDue('look')
      job.tries(['a', SILENT])
    }
    expect(looks).toBeGreaterThan(30)
    expect((job.now - NOW) / DAY).toBeLessThan(31)
    expect(job.owed().toSorted()).toEqual(['ask', 'expire', 'row'])
  })

  it.each([
    ['refused its key', { ...SILENT, accountRefused: true as const }],
    ['was not asked', NOT_ASKED],
  ])('is not looked at if it %s: it took nothing', (_, outcome) => {
    const job = playedJob(['a', NOT_ASKED], ['b', TOOK])
    job.tries(['a', outcome])
    expect(job.due('look')).toBeNull()
  })

  it('is looked at no more once it has refused the order', () => {
    const job = passedOver()
    job.tries(['a', REFUSED])
    expect(job.due('look')).toBeNull()
    expect(job.status()).toBe('PENDING')
  })

  it('has its payment stopped; money that came there counts, and the other payment is stopped', () => {
    const job = passedOver()
    job.tries(['a', other])
    expect(job.due('stop')).toBeLessThanOrEqual(0)
    expect(job.due('look')).toBeNull()
    job.hearsOf({ account: 'a', reference: 'a_1', why: 'duty' }, { answer: seen('SUCCESS') })
    expect(represent(job.state)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(job.owed()).toContain('stop')
    expect(job.refund('r1')).toMatchObject({ ok: true })
    expect(ofKind(job.state, 'refund')).toMatchObject([{ account: 'a', reference: 'a_1', amount: AMOUNT }])
  })

  it('may pay the order: a payment that was paid in part is then stopped until its PSP says that it is over', () => {
    const job = passedOver()
    job.tries(['a', other])
    const own = { account: 'b', reference: 'b_1' }
    job.hearsOf(own, { answer: seen('PENDING', 400) })
    job.now += MINUTE
    job.hearsOf({ account: 'a', reference: 'a_1' }, { answer: seen('SUCCESS') })
    expect(job.due('stop')).toBeLessThanOrEqual(0)
    job.hearsOf({ ...own, why: 'duty' }, { answer: seen('CANCELLED', 400), stopped: 'not-wanted' })
    expect(job.due('stop')).toBeNull()
  })

  it('gets what a notification says that names only the account', () => {
    const job = passedOver()
    job.tries(['a', other])
    const where = { account: 'a', reference: 'a_1' }
    job.hearsOf(where, { answer: seen('SUCCESS') })
    job.now += MINUTE
    const elsewhere = { account: 'a', reference: null }
    const moves = [{ id: 'm1', kind: 'chargeback' as const, amount: 300 }]
    const notified = { is: 'notified', came: job.now, ...elsewhere, moves } as const
    job.hearsOf({ ...where, notified }, { answer: seen('SUCCESS') })
    expect(represent(job.state)).toMatchObject({ status: 'SUCCESS', amountChargedBack: '3.00' })
    expect(job.notified(elsewhere)).toHaveLength(1)
    expect(job.due('ask', 'stop')).toBeLessThan(MINUTE)
  })

  it('ends no job by a payment with the same reference as the job’s own', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.now += DAY + HOUR
    job.hears('duty', { answer: UNDER_WAY })
    job.now += 15 * DAY
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: seen('PENDING') })
    expect(job.status()).toBe('PENDING')
  })
})

describe('a payment whose job another one has paid', () => {
  it('is stopped while its money may be under way, and no longer if its PSP never says that it is over', () => {
    const job = playedJob(['a', SILENT], ['b', { ...TOOK, reference: 'b_1' }])
    job.tries(['a', { ...TOOK, reference: 'a_1' }])
    const answer = (account: string, status: 'SUCCESS' | 'CANCELLED') => {
      const seenNow = { ...seen(status), ...(status === 'CANCELLED' ? { closed: false } : {}) }
      job.hearsOf({ account, reference: `${account}_1`, why: 'duty' }, { answer: seenNow })
    }
    answer('a', 'SUCCESS')
    const begun = job.now
    job.now += 1000
    let stops = 0
    for (; job.due('stop') !== null && stops < 200; stops++) {
      job.untilDue('stop')
      answer('b', 'CANCELLED')
    }
    expect(stops).toBeLessThan(120)
    expect((job.now - begun) / DAY).toBeGreaterThan(88)
    expect((job.now - begun) / DAY).toBeLessThan(91)
  })
})

describe('time that a shop lets pass', () => {
  it('moves the clock from one duty to the next, up to the requested time', () => {
    const job = playedJob()
    job.indexed()
    job.tell({ do: 'let-time-pass', to: 3 * HOUR })
    expect(job.owed()[0]).toBe('move-clock')
    job.tell({ do: 'move-clock', next: job.now + 2 * HOUR })
    expect(job.state.clock).toMatchObject({ offset: 2 * HOUR, wanted: 3 * HOUR })
    job.tell({ do: 'move-clock', next: job.now + 9 * HOUR })
    expect(job.state.clock).toMatchObject({ offset: 3 * HOUR, wanted: 3 * HOUR })
    expect(job.owed()).not.toContain('move-clock')
  })

  it('waits for what is due at that time', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.tell({ do: 'let-time-pass', to: HOUR })
    expect(job.owed()).not.toContain('move-clock')
    job.report('200')
    expect(job.owed()).toContain('move-clock')
  })

  it('never runs backwards', () => {
    const job = playedJob()
    job.tell({ do: 'let-time-pass', to: HOUR })
    expect(job.tell({ do: 'let-time-pass', to: HOUR / 2 })).toEqual([])
    expect(job.tell({ do: 'move-clock', next: job.now - HOUR })).toEqual([])
  })
})
