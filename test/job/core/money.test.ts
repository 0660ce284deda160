import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { transfersOf } from '../../../src/job/core/all-transfers.ts'
import { askedOnce } from '../../../src/job/core/instruct.ts'
import { mostOf } from '../../../src/job/core/money.ts'
import { represent } from '../../../src/job/core/show.ts'
import type { Transfer } from '../../../src/psp/answer.ts'
import {
  AMOUNT,
  AUTHORIZED,
  type Job,
  SILENT,
  TAKEN,
  TOOK,
  paidJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/played-job.ts'
import { answers, captures, money } from '../../support/reserved-job.ts'

/** A reserved order of 12.50, captured in two parts of 5.00 and 7.50. */
function inTwoParts(): Job {
  const job = reservedJob()
  captures(job, 'c1', 500)
  captures(job, 'c2', 750)
  answers(job, listed(AMOUNT, cpt('c1', 500), cpt('c2', 750)))
  return job
}
function cpt(own: string, amount: number, state: Transfer['state'] = 'done'): Transfer {
  return { id: `cpt_${own}`, own, amount, state }
}
function listed(paid: number, ...capture: Transfer[]) {
  return paid === AMOUNT
    ? seen('SUCCESS', paid, { authorized: AMOUNT, transfers: { capture, refund: [] } })
    : reserved(paid, { transfers: { capture, refund: [] } })
}

describe('given a capture that fails after the order was paid', () => {
  it('when a refund is on its way, then no more can be refunded than was captured', () => {
    const job = inTwoParts()
    job.refund('r1', 500)
    answers(job, listed(500, cpt('c1', 500), cpt('c2', 750, 'failed')))
    expect(mostOf(job.state, 'refund')).toBe(0)
    expect(job.refund('r2', 500)).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it('when all had been refunded by hand before, then no more went back than was paid', () => {
    const job = inTwoParts()
    const refund = [{ id: 're_1', amount: AMOUNT, state: 'done' } as const]
    const capture = [cpt('c1', 500), cpt('c2', 750, 'failed')]
    answers(job, reserved(500, { transfers: { capture, refund } }))
    expect(money(job)).toMatchObject({ paid: '12.50', refunded: '12.50' })
    expect(mostOf(job.state, 'refund')).toBe(0)
  })

  it('when the PSP names no end of the reservation, then the hub releases it after a week', () => {
    const job = playedOrder({ capture: 'manual' })
    const held = { ...AUTHORIZED, authorized: AMOUNT }
    const says = (kind: 'capture' | 'capture-failed') => {
      job.now += 1000
      const move = { id: kind, kind, amount: AMOUNT, reference: 'c', instruction: 's1' } as const
      job.notified({ moves: [move] })
      answers(job, held)
    }
    answers(job, held)
    job.wants('capture', 's1')
    says('capture')
    expect(job.status()).toBe('SUCCESS')
    says('capture-failed')
    expect(money(job)).toMatchObject({ status: 'SUCCESS', refunded: '12.50' })
    job.untilDue('release')
    expect(job.now).toBeLessThan(Date.UTC(2026, 1, 8))
  })
})

it('given a refund and an open dispute, when the refund bounces, then only the dispute counts', () => {
  const job = paidJob()
  const lists = (refund: Transfer['state'], dispute: Transfer['state']) => {
    job.now += MINUTE
    const transfers = {
      refund: [{ id: 're_1', own: 'r1', amount: 500, state: refund }],
      dispute: [{ id: 'dp_1', amount: 750, state: dispute }],
    }
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { transfers }) })
    const { amountRefunded, amountChargedBack } = represent(job.state)
    return [amountRefunded, amountChargedBack, mostOf(job.state, 'refund')]
  }
  job.refund('r1', 500)
  expect(lists('done', 'pending')).toEqual(['5.00', undefined, 750])
  expect(lists('done', 'done')).toEqual(['5.00', '7.50', 0])
  expect(lists('failed', 'done')).toEqual([undefined, '7.50', 500])
  expect(transfersOf(job.state)).toMatchObject([
    { kind: 'refund', id: 're_1', own: 'r1', state: 'returned' },
    { kind: 'dispute', id: 'dp_1', own: null, state: 'done' },
  ])
  expect(lists('failed', 'returned')).toEqual([undefined, undefined, AMOUNT])
})

describe('given an order that two accounts hold', () => {
  /** Reserved at both accounts: as much as the order at each, or a part. */
  function heldTwice(here = AMOUNT, there = AMOUNT): Job {
    const job = playedOrder({ capture: 'manual' }, ['a', SILENT], ['mollie', TOOK])
    job.tries(['a', { ...TOOK, reference: 'tr_2' }])
    job.hears('other', { answer: reserved(0, {}, here) })
    job.hearsOf({ account: 'a', reference: 'tr_2', why: 'duty' }, { answer: reserved(0, {}, there) })
    job.now += 1000
    return job
  }
  const released = (job: Job) => job.state.instructions.map(({ account, amount }) => [account, amount])

  it('when the shop releases, then both are released', () => {
    const job = heldTwice(500, 750)
    expect(job.wants('release', '0a').ok).toBe(true)
    expect(released(job).toSorted()).toEqual([
      ['a', 750],
      ['mollie', 500],
    ])
    expect(new Set(job.state.instructions.map(({ id }) => id)).size).toBe(2)
    expect(job.wants('release', '0b')).toEqual({ ok: true, value: [] })
  })

  it('when the hub is releasing one of them, then the shop releases the other', () => {
    const job = heldTwice()
    job.tell({ do: 'instruct', kind: 'release', account: 'a', reference: 'tr_2', id: 'h1' })
    job.answered('h1', TAKEN)
    expect(job.wants('release', '0a').ok).toBe(true)
    expect(released(job)).toEqual([
      ['a', AMOUNT],
      ['mollie', AMOUNT],
    ])
  })
})

it('given a tip, when the card approves only a part, then the tip does not pay the order', () => {
  const took = { is: 'took', reference: 'tr_1', terminal: 't1', expiresAt: null } as const
  const job = playedOrder({ terminal: { id: 't1', account: 'mollie' } }, ['mollie', took])
  job.hears('other', { answer: seen('SUCCESS', AMOUNT, { tip: 250 }) })
  expect(represent(job.state)).toMatchObject({ amountPaid: '12.50', amountTip: '2.50', amountDue: '2.50' })
})

describe('given a refund that its PSP postponed', () => {
  const waiting = () => {
    const job = paidJob()
    job.refund('r1', AMOUNT)
    job.answered('r1', { is: 'not-yet', message: 'Not captured yet.' })
    return job
  }
  const again = (job: Job) => {
    const [refund] = job.state.instructions
    return refund ? askedOnce(job.state, refund, job.now) : []
  }

  it('when its time comes, then it is requested again', () => {
    expect(again(waiting())).toMatchObject([{ is: 'instructed', id: 'r1' }])
  })

  it.each([
    ['the bank has taken the money back', { chargedBack: AMOUNT }],
    [
      'somebody has refunded it at the PSP',
      { transfers: { refund: [{ id: 'x', amount: 100, state: 'done' }] } },
    ],
  ] as const)('when %s meanwhile, then it fails', (_, news) => {
    const job = waiting()
    job.now += MINUTE
    job.hears('other', {
      answer: seen('SUCCESS', AMOUNT, {
        ...news,
        transfers: { ...('transfers' in news ? { refund: [...news.transfers.refund] } : {}) },
      }),
    })
    const facts = again(job)
    expect(facts).toMatchObject([{ is: 'instruction-answered', outcome: { is: 'failed' } }])
    job.append(facts)
    expect(job.state.instructions).toMatchObject([{ state: 'failed' }])
    job.now += DAY
    expect(job.owed()).not.toContain('instruct')
  })
})
