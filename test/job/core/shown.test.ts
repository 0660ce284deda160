import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { evolve } from '../../../src/job/core/evolve.ts'
import { descriptionOf } from '../../../src/job/core/instructions.ts'
import { fold } from '../../../src/job/core/journal.ts'
import {
  type JobRow,
  announcementOf,
  failedTries,
  failingSince,
  rowOf,
  seenIn,
} from '../../../src/job/core/row.ts'
import {
  capturesOf,
  represent,
  representCapture,
  representCreated,
  representRefund,
  representReports,
} from '../../../src/job/core/show.ts'
import { askedAt } from '../../../src/job/core/state.ts'
import {
  type Job,
  AMOUNT,
  AUTHORIZED,
  NOW,
  NO_ANSWER,
  ORDER,
  SILENT,
  TOOK,
  UNDER_WAY,
  WHERE,
  attemptsOf,
  birthOf,
  playedJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { dueIn, dueOf } from '../../../src/job/core/money.ts'
import { OF_RESERVED, ofKind } from '../../../src/job/core/payment.ts'

const REFUSED = { is: 'refused', message: 'refused_method: not active' } as const

/** A payment with everything that may happen to it, an hour between two answers. */
function longLife(): Job {
  const job = playedJob()
  const hears = (...answer: Parameters<typeof seen>) => {
    job.now += HOUR
    job.hears('other', { answer: seen(...answer) })
  }
  job.now += HOUR
  job.hears('other', { answer: UNDER_WAY })
  job.now += HOUR
  job.hears('back', { answer: AUTHORIZED })
  hears('PENDING', 500)
  hears('SUCCESS')
  hears('SUCCESS', AMOUNT, { refunded: 300 })
  hears('SUCCESS', AMOUNT, { refunded: 200, chargedBack: 100 })
  hears('SUCCESS', AMOUNT, { refunded: 200, chargedBack: 0 })
  return job
}

describe('the trace', () => {
  it('ends with the state of the payment, even if it is under way a second time', () => {
    const job = playedJob()
    job.hears('other', { answer: UNDER_WAY })
    job.now += 5000
    job.hears('back', { answer: seen('PENDING', 0, { stage: { is: 'open' } }) })
    job.now += 5000
    job.hears('other', { answer: UNDER_WAY })
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ stage: 'underway' })
  })

  it('shows each change of status, stage and amounts, with the totals that went back', () => {
    const job = longLife()
    job.hears('back', { answer: seen('SUCCESS') })
    const { steps } = represent(job.state).payments
    const all = { amountDue: '12.50', amountPaid: '0.00' }
    const paid = { status: 'SUCCESS', amountDue: '0.00', amountPaid: '12.50' }
    const creationDate = expect.any(String) as string
    const { transactionId } = job.state
    const expected = [
      { action: 'Start', transactionId, status: 'PENDING', ...all },
      { action: 'Statuspull', status: 'PENDING', stage: 'underway', ...all },
      { action: 'Return', status: 'PENDING', stage: 'authorized', ...all },
      { action: 'Statuspull', status: 'PENDING', stage: 'authorized', amountDue: '7.50', amountPaid: '5.00' },
      { action: 'Statuspull', ...paid },
      { action: 'Refund', ...paid, amountRefunded: '3.00' },
      { action: 'Refund', ...paid, amountRefunded: '2.00' },
      { action: 'Chargeback', ...paid, amountRefunded: '2.00', amountChargedBack: '1.00' },
      { action: 'Chargeback', ...paid, amountRefunded: '2.00' },
      { action: 'Return', ...paid },
    ]
    expect(steps).toEqual(expected.map((step) => ({ ...step, creationDate })))
  })

  it('has times that strictly increase, even if one answer adds several steps', () => {
    const { created: begun, payments } = represent(longLife().state)
    const times = [begun, ...payments.steps.map(({ creationDate }) => creationDate)]
    expect(times.map((time, at) => at === 0 || time > (times[at - 1] ?? ''))).not.toContain(false)
    expect(times[2]).toBe('2026-01-31T11:00:00.000000Z')
  })

  it('repeats a step if another came in between', () => {
    const job = playedJob()
    job.hears('back', { answer: UNDER_WAY })
    job.hears('back', { answer: seen('PENDING', 0, { stage: { is: 'open' } }) })
    job.hears('back', { answer: UNDER_WAY })
    job.hears('back', { answer: UNDER_WAY })
    const { steps } = represent(job.state).payments
    expect(steps.map(({ stage }) => stage)).toEqual([undefined, 'underway', undefined, 'underway'])
  })

  it('has a step for the second part of a payment in one stage', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('PENDING', 500) })
    job.hears('other', { answer: seen('PENDING', 700) })
    job.hears('back', { answer: seen('PENDING', 700) })
    job.hears('other', { answer: seen('PENDING', 700) })
    expect(job.trace().slice(1)).toEqual([
      'Statuspull PENDING 500',
      'Statuspull PENDING 700',
      'Return PENDING 700',
    ])
  })
})

describe('the movements of money', () => {
  it('name their accounts, and show money that came back as a reversal', () => {
    const moved = longLife().state.movements.map(({ at, is, amount }) => [(at - NOW) / HOUR, is, amount])
    expect(moved).toEqual([
      [3, 'payment', 500],
      [4, 'payment', 750],
      [5, 'refund', -300],
      [6, 'reversal', 100],
      [6, 'chargeback', -100],
      [7, 'reversal', 100],
    ])
    expect(longLife().state.movements[0]).toMatchObject(WHERE)
  })

  it('have real times if the clock of a test job is ahead', () => {
    const job = playedJob()
    job.now += MINUTE
    job.tell({ do: 'let-time-pass', to: DAY })
    expect(rowOf(job.state).updated).toBe(NOW * 1000 + 1)
    job.tell({ do: 'move-clock', next: job.now + DAY })
    expect(job.state.clock).toMatchObject({ offset: DAY, wanted: DAY, moved: NOW + MINUTE })
    job.now += DAY + HOUR
    job.hears('other', { answer: seen('SUCCESS') })
    expect(job.state.movements[0]?.at).toBe(NOW + MINUTE + HOUR)
    expect(rowOf(job.state)).toMatchObject({ updated: (NOW + MINUTE + HOUR) * 1000, captureBefore: null })
    for (const command of [
      { do: 'let-time-pass', to: 2 * DAY },
      { do: 'move-clock', next: job.now + HOUR },
    ] as const) {
      job.tell(command)
      expect(job.state.clock.moved).toBe(NOW + MINUTE + HOUR)
    }
  })
})

describe('the row of a job', () => {
  it('shows reserved money, and until when it is held, apart from what was paid, in real time', () => {
    const job = reservedJob()
    const row = { paid: 0, authorized: AMOUNT, released: 0, captureBefore: NOW + 3 * DAY, movements: null }
    expect(rowOf(job.state)).toMatchObject(row)
    job.tell({ do: 'let-time-pass', to: DAY })
    job.tell({ do: 'move-clock', next: job.now + DAY })
    expect(rowOf(job.state)).toMatchObject({ captureBefore: NOW + 2 * DAY })
  })

  it('shows a captured part, and what was released once nothing is left to capture', () => {
    const job = reservedJob()
    job.hears('other', { answer: reserved(500) })
    expect(rowOf(job.state)).toMatchObject({ paid: 500, authorized: AMOUNT, captureBefore: NOW + 3 * DAY })
    job.indexed()
    job.hears('other', { answer: seen('SUCCESS', 500, { authorized: AMOUNT, released: AMOUNT - 500 }) })
    expect(rowOf(job.state)).toMatchObject({ paid: 500, released: AMOUNT - 500, captureBefore: null })
    expect(job.due('row')).toBe(0)
  })

  it.each<[string, () => Job]>([
    ['new', playedJob],
    ['paid', longLife],
    ['reserved', reservedJob],
    [
      'captured in part',
      () => {
        const job = reservedJob()
        job.hears('other', { answer: reserved(500) })
        return job
      },
    ],
    [
      'captured in part, and the rest released',
      () => {
        const job = reservedJob()
        job.hears('other', { answer: seen('SUCCESS', 500, { authorized: AMOUNT, released: AMOUNT - 500 }) })
        return job
      },
    ],
  ])('shows the same amount due as the job does, for a job that is %s', (_, play) => {
    const { state } = play()
    expect(dueIn(rowOf(state))).toBe(dueOf(state))
  })

  it('takes a captured part off again, in the movements too, if the capture failed after all', () => {
    const job = reservedJob()
    for (const paid of [500, 900, 500]) job.hears('other', { answer: reserved(paid) })
    expect(rowOf(job.state).paid).toBe(500)
    expect(job.state.movements.map(({ is, amount }) => [is, amount])).toEqual([
      ['payment', 500],
      ['payment', 400],
      ['payment', -400],
    ])
  })

  it.each([{ tip: 100 }, { terminal: 'term_2' }])(
    'is another one, to be written again, with %j',
    (change) => {
      const row = rowOf(playedOrder({ terminal: { id: 'term_1', account: 'mollie' } }).state)
      expect(seenIn({ ...row, ...change })).not.toBe(seenIn(row))
    },
  )

  it('shows what an operator searches', () => {
    expect(rowOf(longLife().state)).toMatchObject({
      account: 'mollie',
      reference: 'tr_1',
      amount: AMOUNT,
      paid: AMOUNT,
      status: 'SUCCESS',
      announcement: 'announced',
      updated: (NOW + 7 * HOUR) * 1000,
      refunded: 200,
      chargedBack: 0,
      paidAfter: 4 * HOUR,
      givenUpAt: null,
      failingSince: null,
      movements: expect.stringContaining('"chargeback"') as string,
    })
    const unreserved = { authorized: 0, released: 0, captureBefore: null }
    expect(rowOf(longLife().state)).toMatchObject(unreserved)
    const none = { movements: null, paidAfter: null, failingSince: null, paid: 0 }
    expect(rowOf(playedJob().state)).toMatchObject(none)
  })

  it('names the same other paid jobs of its order as the job does', () => {
    const job = playedJob()
    expect(rowOf(job.state).alsoPaidBy).toBeNull()
    expect(represent(job.state)).not.toHaveProperty('alsoPaidBy')
    for (const other of ['a', 'b']) job.tell({ do: 'record-also-paid', job: other, paid: AMOUNT })
    expect(rowOf(job.state).alsoPaidBy).toBe('a b')
    expect(represent(job.state)).toMatchObject({ alsoPaidBy: ['a', 'b'] })
    job.tell({ do: 'record-also-paid', job: 'a', paid: 0 })
    expect(represent(job.state)).toMatchObject({ alsoPaidBy: ['b'] })
  })

  it('looks different to an operator by any member but its entry', () => {
    const row = rowOf(playedJob().state)
    const rows: JobRow[] = [
      {},
      { paid: 1 },
      { unapplied: 1 },
      { unapplied: 2 },
      { alsoPaidBy: 'a' },
      { alsoPaidBy: 'a b' },
      { authorized: 2 },
      { authorized: 2, released: 1 },
      { authorized: 2, captureBefore: NOW },
      { foundBy: '4242' },
    ].map((more) => ({ ...row, ...more }))
    for (const one of rows)
      for (const other of rows)
        expect(seenIn(one) === seenIn({ ...other, sequence: 7, updated: 7 })).toBe(one === other)
  })

  it.each([
    ['due', [['mollie', SILENT]], 'mollie'],
    [
      'refused',
      [
        ['mollie', SILENT],
        ['other', REFUSED],
      ],
      'mollie',
    ],
    [
      'announced',
      [
        ['mollie', SILENT],
        ['other', TOOK],
      ],
      'other',
    ],
  ] as const)('says that the order is %s', (announcement, outcomes, account) => {
    const { state } = playedJob(...outcomes.map((one): [string, (typeof one)[1]] => [one[0], one[1]]))
    expect(rowOf(state)).toMatchObject({ announcement, account })
  })

  it('shows an order as refused only if the job ended by that', () => {
    const job = playedJob(['mollie', SILENT])
    job.tell({ do: 'cancel', by: 'operator' })
    expect(announcementOf(job.state)).toBe('due')
    const paid = playedJob(['mollie', SILENT], ['a', TOOK])
    expect(announcementOf(paid.state)).toBe('announced')
  })

  it('names the first account of the newest round until one takes the order', () => {
    const job = playedJob(['old', SILENT])
    job.now += HOUR
    job.tries(['first', SILENT])
    job.append(attemptsOf([['second', SILENT]], job.now + 10_000))
    expect(rowOf(job.state).account).toBe('first')
  })

  it('names no account before the hub has asked one', () => {
    const entry = { number: 1, at: NOW * 1000, facts: [birthOf().created] }
    expect(rowOf(evolve(null, entry)).account).toBe('')
  })

  it('shows since when the report fails and when it was given up, counted from the last delivery', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.report('500')
    job.report('200')
    job.now += HOUR
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) })
    expect([failingSince(job.state), failedTries(job.state)]).toEqual([null, []])
    job.report('500')
    expect(failingSince(job.state)).toBe(job.now + 10)
    job.now += HOUR
    job.report('410', 'unwanted')
    expect(rowOf(job.state)).toMatchObject({
      failingSince: job.now - HOUR + 10,
      givenUpAt: job.now + 10,
    })
    expect(failedTries(job.state)).toHaveLength(2)
    job.report('200')
    expect(failingSince(job.state)).toBeNull()
  })
})

it('a request to let time pass changes no time that the job has shown before', () => {
  const job = playedJob(['mollie', REFUSED])
  job.report('410', 'unwanted')
  const { failingSince: since, givenUpAt } = rowOf(job.state)
  job.now += MINUTE
  job.tell({ do: 'let-time-pass', to: DAY })
  expect(rowOf(job.state)).toMatchObject({ failingSince: since, givenUpAt })
})

describe('the reports', () => {
  it('of an older revision that fail, or arrive while the newest is due, change nothing', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.now += HOUR
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 100 }) })
    expect(job.state.revision).toBe(3)
    job.report('500')
    const { since, tries } = job.state.report ?? {}
    job.now += HOUR
    job.report('200', 'delivered', { revision: 2 })
    expect(job.state.report).toMatchObject({ since, tries, state: 'due' })
    job.report('200')
    job.report('500', 'failed', { revision: 2 })
    expect(job.state.report?.state).toBe('delivered')
    expect(failingSince(job.state)).toBeNull()
  })

  it('of a job that ended at its create are about its first revision', () => {
    expect(playedJob(['mollie', REFUSED]).state.report).toMatchObject({ revision: 1, state: 'due' })
  })

  it('do not exist for an open job, whatever happens', () => {
    const job = playedJob()
    job.report('200')
    expect(job.state.report).toBeNull()
  })
})

describe('what is shown', () => {
  it('all tries at reports: the state of each revision, and when the newest is tried again', () => {
    const job = playedJob()
    expect(representReports(job.state, null)).toEqual([])
    const reports = (result: 'delivered' | 'failed', answer?: string) => {
      job.report('x', result, { ms: 1000, ...(answer === undefined ? {} : { answer }) })
      job.now += HOUR
    }
    const hears = (chargedBack: number) =>
      job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack }) })
    hears(0)
    reports('failed', 'no')
    reports('delivered')
    hears(100)
    reports('failed')
    hears(200)
    const tried = (hour: number) => ({
      at: `2026-01-31T1${hour}:00:01.000Z`,
      outcome: 'x',
      milliseconds: 1000,
    })
    expect(representReports(job.state, NOW + DAY)).toStrictEqual([
      { revision: 2, state: 'delivered', due: null, attempts: [{ ...tried(0), answer: 'no' }, tried(1)] },
      { revision: 3, state: 'given-up', due: null, attempts: [tried(2)] },
      { revision: 4, state: 'due', due: '2026-02-01T10:00:00.000Z', attempts: [] },
    ])
    reports('delivered')
    expect(representReports(job.state, null).at(-1)).toMatchObject({ state: 'delivered', due: null })
  })

  it('a job: its addresses and amounts, and the time of its latest step', () => {
    const { state } = longLife()
    const shown = represent(state)
    expect(shown).toMatchObject({
      payUrl: `https://hub.nl/pay/${state.link}`,
      attributes: { returnUrl: ORDER.returnUrl, reportUrl: ORDER.reportUrl },
      payments: { creationDate: shown.lastUpdate, status: 'SUCCESS', amountDue: '0.00', amountPaid: '12.50' },
    })
    expect(representCreated(playedJob().state).amountPaid).toBe(0)
    const again = representCreated(state)
    expect(again.amountPaid).toBe('12.50')
    expect(again.payments).toEqual({ steps: shown.payments.steps })
  })

  it('a refund without a description or an end', () => {
    const job = longLife()
    job.refund('r1', 100)
    const [refund] = ofKind(job.state, 'refund')
    expect(refund && representRefund(job.state, refund)).toMatchObject({
      created: '2026-01-31T17:00:00.000000Z',
      status: 'PENDING',
    })
    const kinds = ['refund', 'capture', 'release'] as const
    expect(kinds.map((kind) => descriptionOf(job.state, kind))).toEqual([
      'Refund of order A-7',
      'Order A-7',
      'Release of order A-7',
    ])
  })
})

it('the captures of a job are those that its shop requested, final or not', () => {
  const job = reservedJob()
  job.wants('capture', 'c1', { amount: 500 })
  job.wants('capture', 'c2', { amount: 100, final: true })
  const shown = capturesOf(job.state).map((one) => representCapture(job.state, one))
  expect(shown).toMatchObject([
    { capture: 'c1', final: false },
    { capture: 'c2', final: true },
  ])
  const own = playedJob()
  own.hears('other', { answer: reserved() })
  own.tell({ do: 'instruct', kind: 'capture', id: 'h1', ...WHERE })
  const released = reservedJob()
  released.wants('release', 'r1')
  for (const { state } of [own, released]) {
    expect(ofKind(state, ...OF_RESERVED)).toHaveLength(1)
    expect(capturesOf(state)).toEqual([])
  }
})

describe('a journal', () => {
  it('cannot be folded unless it begins with the creation of the job', () => {
    const entry = { number: 1, at: NOW * 1000, facts: [{ is: 'expired' as const }] }
    expect(() => fold([entry])).toThrow('creation')
    expect(() => evolve(null, { ...entry, facts: [] })).toThrow('creation')
  })

  it('contains the customer’s address until that is erased', () => {
    const { created: fact, personal } = birthOf()
    const entry = { number: 1, at: NOW * 1000, facts: [fact] }
    expect(evolve(null, { ...entry, personal }).order.ipAddress).toBe(ORDER.ipAddress)
    expect(evolve(null, entry).order.ipAddress).toBe('')
  })
})

it('a job knows when its PSPs were last asked, even in vain', () => {
  const job = playedJob(['a', SILENT], ['mollie', TOOK])
  expect(askedAt(job.state)).toBe(0)
  job.now += HOUR
  job.hears('other', { answer: NO_ANSWER })
  job.tries(['a', TOOK])
  expect(askedAt(job.state)).toBe(NOW + HOUR)
})
