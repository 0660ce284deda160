import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { askedAgain } from '../../../src/job/core/instruct.ts'
import { represent, representRefund, representWholeRefund } from '../../../src/job/core/show.ts'
import type { MoneyMove, Transfer } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NOW,
  NO_ANSWER,
  SILENT,
  TAKEN,
  TOOK,
  WHERE,
  paidJob,
  playedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { mostOf, refundableOf, arrivedRefunds, refundsOnTheirWay } from '../../../src/job/core/money.ts'
import { ofKind } from '../../../src/job/core/payment.ts'

const FAILED = { is: 'failed', message: 'The account is closed.' } as const

function tells(job: Job, totals: { refunded?: number; chargedBack?: number }) {
  job.now += 1000
  return job.hears('other', { answer: seen('SUCCESS', AMOUNT, totals) })
}
/** The PSP lists these refunds, by default of 5.00, in its answer about the payment. */
function lists(job: Job, ...refund: (Partial<Transfer> & Pick<Transfer, 'id' | 'state'>)[]) {
  job.now += 1000
  const transfers = { refund: refund.map((one) => ({ amount: 500, ...one })) }
  return job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { transfers }) })
}
function statesOf(job: Job) {
  return ofKind(job.state, 'refund').map(({ state }) => state)
}
function refundable(job: Job): number {
  const [own] = job.state.payments
  return own ? refundableOf(job.state, own) : 0
}
function shown(job: Job, id = 'r1') {
  const refund = ofKind(job.state, 'refund').find((one) => one.id === id)
  return refund && representRefund(job.state, refund)
}

describe('a request for a refund', () => {
  it.each([
    ['of nothing paid', playedJob, 100, { is: 'unpaid', isReserved: false }],
    ['of more than was paid', paidJob, AMOUNT + 1, { is: 'too-much', rest: AMOUNT, inParts: false }],
  ] as const)('%s is refused', (_, make, amount, error) => {
    expect(make().refund('r1', amount)).toEqual({ ok: false, error: { kind: 'refund', ...error } })
  })

  it('counts at once, so that ten at the same time get no more than was paid', () => {
    const job = paidJob()
    const taken = Array.from({ length: 10 }, (_, at) => job.refund(`r${at}`, 200)).filter(({ ok }) => ok)
    expect([taken.length, refundable(job)]).toEqual([6, 50])
    expect(job.refund('rest')).toMatchObject({ ok: true })
    expect(job.refund('more')).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it('under the same id returns the same refund, and another one under it is refused', () => {
    const job = paidJob()
    job.refund('r1', 100)
    const before = job.entries.length
    expect(job.refund('r1', 100)).toMatchObject({ ok: true })
    expect(job.entries).toHaveLength(before)
    expect(job.refund('r1', 100, 'other')).toMatchObject({ error: { is: 'other-refund' } })
  })

  it('is one of a hundred at most', () => {
    const job = paidJob()
    for (let at = 0; at < 100; at++) job.refund(`r${at}`, 1)
    expect(job.refund('more', 1)).toMatchObject({ error: { is: 'too-many' } })
  })

  it('does not count if the PSP refused the account and never saw it, up to three hundred in all', () => {
    const job = paidJob()
    const refuse = (id: string) => {
      expect(job.refund(id, 1)).toMatchObject({ ok: true })
      job.answered(id, { is: 'refused', message: 'The key is wrong.', accountRefused: true })
    }
    for (let at = 0; at < 299; at++) refuse(`r${at}`)
    expect(job.refund('at last', 1)).toMatchObject({ ok: true })
    expect(job.refund('more', 1)).toMatchObject({ error: { is: 'too-many' } })
  })

  it('takes a total from the instant in which a refund was done as the newest word', () => {
    const after = (early: number) => {
      const job = paidJob()
      tells(job, { refunded: 300 })
      job.now += 1000
      job.refund('r1', 500)
      job.answered('r1', DONE)
      const answer = seen('SUCCESS', AMOUNT, { refunded: 500 })
      job.hearsOf({ asked: job.now - early }, { answer })
      return refundable(job)
    }
    expect([after(0), after(1)]).toEqual([AMOUNT - 500, AMOUNT - 300 - 500])
  })

  it('leaves out what went back at the PSP itself', () => {
    const job = paidJob()
    tells(job, { refunded: 300, chargedBack: 200 })
    expect(refundable(job)).toBe(750)
  })
})

describe('a refund', () => {
  it('is PENDING until the PSP says that the money went back', () => {
    const job = paidJob()
    job.refund('r1', 500)
    expect(shown(job)).toMatchObject({ status: 'PENDING', amount: '5.00' })
    job.answered('r1', TAKEN)
    expect([shown(job)?.status, refundsOnTheirWay(job.state)]).toEqual(['PENDING', 500])
    job.answered('r1', DONE)
    tells(job, { refunded: 500 })
    expect(shown(job)).toMatchObject({ status: 'SUCCESS' })
    expect([arrivedRefunds(job.state), refundsOnTheirWay(job.state)]).toEqual([500, 0])
    expect(job.trace().at(-1)).toBe(`Refund SUCCESS ${AMOUNT}`)
  })

  it('stays on its way even if the PSP has it in its total already', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    tells(job, { refunded: 500 })
    expect([arrivedRefunds(job.state), refundsOnTheirWay(job.state), refundable(job)]).toEqual([0, 500, 750])
  })

  it('that was done and then fails says why, leaves the total with a new report, and can be requested again', () => {
    const job = paidJob()
    job.refund('r1')
    job.answered('r1', DONE)
    tells(job, { refunded: AMOUNT })
    job.now += 20 * DAY
    expect(job.answered('r1', FAILED)).toHaveLength(1)
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: FAILED.message })
    const { revision } = job.state
    tells(job, { refunded: 0 })
    expect(represent(job.state)).not.toHaveProperty('amountRefunded')
    expect(job.state.revision).toBe(revision + 1)
    expect(job.due('report')).toBe(0)
    expect(refundsOnTheirWay(job.state)).toBe(0)
    expect(job.refund('r2')).toMatchObject({ ok: true })
  })

  it('is recorded if an answer brings news: its state, or the PSP’s reference', () => {
    const job = paidJob()
    job.refund('r1', 500)
    const said = (answer: Parameters<Job['answered']>[1]) => job.answered('r1', answer).length
    expect([said(TAKEN), said(TAKEN), said(NO_ANSWER)]).toEqual([1, 0, 0])
    expect([said({ ...TAKEN, reference: 're_2' }), said({ ...TAKEN, reference: 're_2' })]).toEqual([1, 0])
    expect([said(DONE), said(DONE)]).toEqual([1, 0])
  })

  it('makes the hub ask for the total once it moved', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    expect(job.due('ask')).toBe(0)
    tells(job, { refunded: 500 })
    expect(job.due('ask')).toBeGreaterThan(MINUTE / 2)
  })

  it('that the account refused took nothing, and needs no total', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', { is: 'refused', message: 'Unauthorized', accountRefused: true })
    expect(shown(job)?.status).toBe('FAILURE')
    expect(job.due('ask')).toBeNull()
  })

  it('is asked about for ninety days, more and more rarely, even once it is done', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', DONE)
    const looks: number[] = []
    while (job.due('ask') !== null) {
      job.untilDue('ask')
      looks.push((job.now - NOW) / DAY)
      lists(job, { id: 're_1', state: 'done' })
    }
    expect(looks.at(-1)).toBeGreaterThan(45)
    expect(looks.at(-1)).toBeLessThan(91)
    expect(looks.length).toBeLessThan(20)
  })

  it('is settled by what the PSP lists: by the hub’s id, if the answer was lost, else by the PSP’s', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.refund('r2', 300)
    job.answered('r2', TAKEN)
    lists(job, { id: 're_9', own: 'r1', state: 'pending' }, { id: 're_1', amount: 300, state: 'done' })
    expect(statesOf(job)).toEqual(['pending', 'done'])
    expect(represent(job.state)).toMatchObject({ amountRefunded: '3.00' })
    lists(job, { id: 're_9', state: 'done' }, { id: 're_1', amount: 300, state: 'failed', why: 'Closed.' })
    expect(statesOf(job)).toEqual(['done', 'failed'])
    expect(represent(job.state)).toMatchObject({ amountRefunded: '5.00' })
    expect(refundable(job)).toBe(750)
  })

  it('stays as it is if an answer lags behind, and was done after all if the PSP lists that', () => {
    const job = paidJob()
    job.refund('r1', 500)
    lists(job, { id: 're_1', own: 'r1', state: 'done' })
    lists(job, { id: 're_1', own: 'r1', state: 'pending' })
    lists(job)
    expect(statesOf(job)).toEqual(['done'])
    expect(represent(job.state)).toMatchObject({ amountRefunded: '5.00' })
    job.refund('r2', 300)
    lists(job, { id: 're_2', own: 'r2', amount: 300, state: 'failed' })
    lists(job, { id: 're_2', own: 'r2', amount: 300, state: 'done' })
    expect(statesOf(job)).toEqual(['done', 'done'])
    expect(represent(job.state)).toMatchObject({ amountRefunded: '8.00' })
  })

  it('of somebody else leaves less to refund, also while it is on its way', () => {
    const job = paidJob()
    lists(job, { id: 're_5', amount: 200, state: 'done' }, { id: 're_6', amount: 100, state: 'pending' })
    expect([refundable(job), represent(job.state)]).toMatchObject([950, { amountRefunded: '2.00' }])
    // Nobody notifies the hub if it fails.
    job.untilDue('ask')
    lists(job, { id: 're_5', amount: 200, state: 'done' }, { id: 're_6', amount: 100, state: 'failed' })
    expect([refundable(job), job.due('ask')]).toEqual([1050, null])
  })

  it('that the PSP does not list is lost after ten minutes, and not before', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.now += 9 * MINUTE
    lists(job)
    expect(shown(job)?.status).toBe('PENDING')
    job.now += MINUTE
    lists(job)
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringContaining('reached') as string,
    })
  })

  it('that was taken stays so if the PSP does not list it for a while', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    job.now += DAY - 2000
    lists(job)
    expect(shown(job)?.status).toBe('PENDING')
  })

  it('that was taken and is not listed after a day was dropped by the PSP: its amount can be requested again', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    job.now += DAY
    lists(job)
    expect(shown(job)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringContaining('dropped') as string,
    })
    expect(refundable(job)).toBe(AMOUNT)
  })

  it('is not taken back by an answer to an earlier question', () => {
    const job = paidJob()
    job.refund('r1')
    const questionTime = job.now + 1
    job.now += 1000
    job.answered('r1', DONE)
    tells(job, { refunded: AMOUNT })
    job.now += 1000
    job.hearsOf({ asked: questionTime }, { answer: seen('SUCCESS', AMOUNT, { refunded: 0 }) })
    expect(represent(job.state)).toMatchObject({ amountRefunded: '12.50' })
  })

  it('that is done frees nothing of what went back at the PSP itself, before the hub has the new total', () => {
    const job = paidJob()
    job.refund('r0', 100)
    job.answered('r0', DONE)
    tells(job, { refunded: 400 })
    job.refund('r1', 500)
    expect(refundable(job)).toBe(350)
    job.now += 1000
    job.answered('r1', DONE)
    expect(refundable(job)).toBe(350)
    tells(job, { refunded: 900 })
    expect(refundable(job)).toBe(350)
    tells(job, { refunded: 600 })
    expect(refundable(job)).toBe(650)
  })
})

describe('a refund that the PSP does not make yet', () => {
  const NOT_YET = { is: 'not-yet', message: 'Not captured yet.' } as const
  /** Instructs the PSP again, as the object does when it is time. */
  function again(job: Job, id = 'r1') {
    job.untilDue('instruct')
    const waiting = ofKind(job.state, 'refund').find((one) => one.id === id)
    if (waiting) job.append([askedAgain(waiting)])
  }

  it('is requested again, five times in all, and fails with the PSP’s words', () => {
    const job = paidJob()
    job.refund('r0', 100)
    job.refund('r1', 500)
    const states = Array.from({ length: 5 }, (_, round) => {
      if (round > 0) again(job)
      job.answered('r1', NOT_YET)
      return [
        ofKind(job.state, 'refund')
          .map(({ state }) => state)
          .join(),
        shown(job)?.status,
      ]
    })
    const waiting = ['asking,waiting', 'PENDING']
    expect(states).toEqual([waiting, waiting, waiting, waiting, ['asking,failed', 'FAILURE']])
    expect(shown(job)?.error).toBe(NOT_YET.message)
    expect(ofKind(job.state, 'refund')).toMatchObject([
      { round: 1 },
      { round: 5, amount: 500, fingerprint: 'r1' },
    ])
  })

  it('is lost ten minutes after the newest request for it, however old the first is', () => {
    const job = paidJob()
    job.refund('r1', 500)
    for (let round = 0; round < 2; round++) {
      job.answered('r1', NOT_YET)
      again(job)
    }
    lists(job)
    expect(shown(job)?.status).toBe('PENDING')
    job.now += 10 * MINUTE
    lists(job)
    expect(shown(job)?.status).toBe('FAILURE')
  })

  it('needs no total, and is on its way meanwhile', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', NOT_YET)
    expect(job.due('ask')).toBeNull()
    expect([refundable(job), refundsOnTheirWay(job.state)]).toEqual([750, 500])
  })

  it('does not wait if the PSP has taken it, or has answered for good', () => {
    for (const [answer, state] of [
      [TAKEN, 'pending'],
      [DONE, 'done'],
      [FAILED, 'failed'],
    ] as const) {
      const job = paidJob()
      job.refund('r1', 500)
      job.answered('r1', answer)
      job.answered('r1', NOT_YET)
      expect(ofKind(job.state, 'refund')[0]?.state).toBe(state)
    }
  })

  it('is requested again once for each notification that says so', () => {
    const job = paidJob()
    const says = (...ids: string[]) => {
      job.now += 1000
      const kind = 'refund-not-yet' as const
      const moves = ids.map((id) => ({ id, kind, amount: 0, refund: 'r1', error: `Not yet: ${id}` }))
      job.notified({ moves })
      return ofKind(job.state, 'refund')[0]?.state
    }
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    expect(says('n1')).toBe('waiting')
    expect(shown(job)?.error).toBe('Not yet: n1')
    again(job)
    expect(says('n1')).toBe('asking')
    expect(says('n2')).toBe('waiting')
    expect(shown(job)?.error).toBe('Not yet: n2')
    job.answered('r1', FAILED)
    expect(says('n3')).toBe('failed')
  })
})

describe('the state of a refund', () => {
  it('stays once it is settled, except for a failure: no other answer changes it, nor an answer about another', () => {
    const job = paidJob()
    job.refund('r0', 100)
    job.refund('r1', 500)
    job.answered('r1', DONE)
    job.answered('r1', TAKEN)
    expect(ofKind(job.state, 'refund').map(({ state }) => state)).toEqual(['asking', 'done'])
    job.answered('r1', FAILED)
    job.answered('r1', { ...FAILED, message: 'Another reason.' })
    job.notified({ moves: [{ id: 'm1', kind: 'refund-failed', amount: 0, refund: 'r1', error: 'A third.' }] })
    job.answered('r1', DONE)
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: FAILED.message })
    expect(job.answered('unknown', DONE)).toEqual([])
  })

  it('stays failed, with the first reason, whatever later answers its journal has', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', FAILED)
    for (const outcome of [
      { is: 'failed', message: 'Another reason.' },
      { is: 'done', reference: 're_1' },
    ] as const)
      job.append([{ is: 'instruction-answered', id: 'r1', asked: job.now, outcome }])
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: FAILED.message })
  })

  it('needs the total when it fails at the PSP, until the next answer', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', FAILED)
    expect(job.due('ask')).toBe(0)
    job.hears('duty', { answer: seen('PENDING', 0) })
    expect(job.due('ask')).toBeNull()
  })
})

describe('an order that was paid in two parts', () => {
  const PARTS = [
    { id: 'x1', kind: 'chargeback', amount: 50, reference: 'dispute' },
    { id: 'p1', kind: 'part', amount: 500, reference: 'gift' },
    { id: 'p2', kind: 'part', amount: 750, reference: 'card' },
  ] as const
  function inParts(...moves: MoneyMove[]) {
    const job = paidJob()
    job.notified({ moves })
    return job
  }
  const partsOf = (job: Job) => ofKind(job.state, 'refund').map(({ part, amount }) => [part, amount])

  it('has each part refunded separately, the one with the most left first', () => {
    const job = inParts(...PARTS)
    expect(job.refund('r1', 751)).toMatchObject({ error: { is: 'too-much', rest: 750, inParts: true } })
    job.refund('r1', 600)
    job.refund('r2', 400)
    job.refund('r3')
    job.refund('r4')
    expect(partsOf(job)).toEqual([
      ['card', 600],
      ['gift', 400],
      ['card', 150],
      ['gift', 50],
    ])
    expect(job.refund('r5')).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it('refunds all that is left of one payment of two, and shows what is left of the other', () => {
    const job = inParts(...PARTS)
    job.refund('r1')
    const [refund] = ofKind(job.state, 'refund')
    if (!refund) throw new Error('there is no refund')
    expect(representWholeRefund(job.state, refund, mostOf(job.state, 'refund'))).toMatchObject({
      amount: '7.50',
      remaining: '4.50',
    })
    job.refund('r2')
    expect(mostOf(job.state, 'refund')).toBe(0)
    expect(representWholeRefund(job.state, refund, 0)).not.toHaveProperty('remaining')
  })

  it('asks again for the same part', () => {
    const job = inParts(...PARTS)
    job.refund('r1', 600)
    const [refund] = ofKind(job.state, 'refund')
    expect(refund && askedAgain(refund)).toMatchObject({
      is: 'instructed',
      kind: 'refund',
      id: 'r1',
      part: 'card',
    })
    const paidOnce = paidJob()
    paidOnce.refund('r1', 600)
    expect(ofKind(paidOnce.state, 'refund').map(askedAgain)[0]).not.toHaveProperty('part')
  })

  it.each([
    ['first', ['gift', 'card']],
    ['last', ['card', 'gift']],
  ])(
    'has the reference of the payment that paid all of it, even if the other was reported %s',
    (_, order) => {
      const job = paidJob()
      for (const reference of order) {
        const amount = reference === 'card' ? AMOUNT : 500
        job.notified({ payment: reference, moves: [{ id: reference, kind: 'part', amount, reference }] })
      }
      job.notified({ moves: [{ id: 'm1', kind: 'refund', amount: 2 * AMOUNT, reference: 'back' }] })
      expect(job.state.payments[0]?.other).toBe('card')
    },
  )

  it('has no parts if a single payment paid the whole amount, or has no reference', () => {
    for (const moves of [
      [PARTS[1], { ...PARTS[2], amount: AMOUNT }],
      [{ id: 'p1', kind: 'part', amount: 500 }],
    ] as const) {
      const job = inParts(...moves)
      job.refund('r1')
      expect(partsOf(job)).toEqual([[undefined, AMOUNT]])
    }
  })
})

describe('payments at two accounts', () => {
  it('have refunds and totals of their own, even if both have the same reference', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK], ['a', { ...TOOK, reference: 'tr_2' }])
    job.hears('other', { answer: seen('SUCCESS') })
    for (const reference of [WHERE.reference, 'tr_2'])
      job.hearsOf({ account: 'a', reference }, { answer: seen('SUCCESS', 1000) })
    job.refund('r1', 1100)
    job.refund('r2', 900)
    job.refund('r3', 800)
    const rests = job.state.payments.map((payment) => refundableOf(job.state, payment))
    expect(rests).toEqual([150, 100, 200])
    expect(arrivedRefunds(job.state)).toBe(0)
    expect(refundsOnTheirWay(job.state)).toBe(2800)
    job.notified({ account: 'a', reference: 'tr_2' })
    expect(job.state.payments.map(({ asks }) => asks.prompted !== null)).toEqual([false, false, true])
  })

  it('count no total of a payment that is not paid', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { refunded: 100 }) })
    expect(represent(job.state)).not.toHaveProperty('amountRefunded')
  })
})

describe('money that only notifications report', () => {
  const move = (id: string, kind: MoneyMove['kind'], amount: number, more: Partial<MoneyMove> = {}) => ({
    id,
    kind,
    amount,
    ...more,
  })
  function notified(job: Job, ...moves: MoneyMove[]) {
    job.now += 1000
    return job.notified({ moves })
  }

  it('counts once, however often it is reported', () => {
    const job = paidJob()
    notified(job, move('c1', 'chargeback', 500), move('c1', 'chargeback', 500))
    notified(job, move('c1', 'chargeback', 500), move('c2', 'chargeback', 100))
    expect(represent(job.state)).toMatchObject({ amountChargedBack: '6.00' })
    notified(job, move('v1', 'chargeback-reversed', 600))
    expect(represent(job.state)).not.toHaveProperty('amountChargedBack')
  })

  it('does not count in another currency than the order’s', () => {
    const job = paidJob()
    notified(job, move('c1', 'chargeback', 500, { currency: 'USD' }))
    expect(represent(job.state)).not.toHaveProperty('amountChargedBack')
  })

  it('settles the refund that it names, by its id or the PSP’s, and fails it with the PSP’s words', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', TAKEN)
    job.refund('r2', 300)
    notified(job, move('m1', 'refund', 500, { reference: 're_1' }))
    expect([shown(job)?.status, shown(job, 'r2')?.status]).toEqual(['SUCCESS', 'PENDING'])
    expect(represent(job.state)).toMatchObject({ amountRefunded: '5.00' })
    const [done] = ofKind(job.state, 'refund')
    notified(job, move('c1', 'chargeback', 0))
    expect(ofKind(job.state, 'refund')[0]).toEqual(done)
    notified(job, move('m2', 'refund-failed', 500, { reference: 're_1', error: 'Closed.' }))
    expect(refundable(job)).toBe(AMOUNT - 300)
    notified(job, move('m3', 'refund', 100, { reference: 'another' }))
    expect(shown(job)).toMatchObject({ status: 'FAILURE', error: 'Closed.' })
    expect(shown(job, 'r2')?.status).toBe('PENDING')
    expect(represent(job.state)).toMatchObject({ amountRefunded: '1.00' })
  })

  it('brings the PSP’s reference of a refund whose answer was lost', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.refund('r2', 100)
    notified(job, move('m1', 'refund', 500, { refund: 'r1', reference: 're_1' }))
    expect(ofKind(job.state, 'refund')).toMatchObject([{ state: 'done', pspId: 're_1' }, { pspId: null }])
  })

  it('settles a refund even if it comes before the PSP’s answer', () => {
    const job = paidJob()
    job.refund('r1', 500)
    notified(job, move('m1', 'refund', 500, { reference: 're_1' }))
    job.answered('r1', TAKEN)
    expect(shown(job)?.status).toBe('SUCCESS')
  })

  it('of a failure that is reported twice takes back no other refund', () => {
    const job = paidJob()
    notified(
      job,
      move('m1', 'refund', 300, { reference: 'a' }),
      move('m2', 'refund', 200, { reference: 'b' }),
    )
    notified(job, move('f1', 'refund-failed', 300, { reference: 'a' }))
    notified(job, move('f2', 'refund-failed', 300, { reference: 'a' }))
    expect(represent(job.state)).toMatchObject({ amountRefunded: '2.00' })
  })
})
