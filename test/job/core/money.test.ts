import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { transfersOf } from '../../../src/job/core/all-transfers.ts'
import { askedOnce } from '../../../src/job/core/instruct.ts'
import { mostOf } from '../../../src/job/core/money.ts'
import { represent } from '../../../src/job/core/show.ts'
import type { Observation, Transfer } from '../../../src/psp/answer.ts'
import {
  AMOUNT,
  AUTHORIZED,
  DONE,
  type Job,
  NO_ANSWER,
  SILENT,
  TAKEN,
  TOOK,
  paidJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { answers, captures, money } from '../../support/jobs/reserved-job.ts'

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

describe('given a list that lags, or cannot be read', () => {
  const re = (id: string, amount: number, state: Transfer['state'], own?: string) => ({
    id,
    amount,
    state,
    ...(own ? { own } : {}),
  })
  const says = (job: Job, shown: Partial<Observation>, after = MINUTE) => {
    job.now += after
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, shown) })
    return [job.state.instructions.map(({ state }) => state), mostOf(job.state, 'refund')]
  }
  const lost = (job: Job, ...refunds: [string, number][]) => {
    for (const [id, amount] of refunds) {
      job.refund(id, amount)
      job.answered(id, NO_ANSWER)
    }
    return job
  }

  it('when a refund that counts as lost shows late, then its money cannot go back twice', () => {
    const job = lost(paidJob(), ['r1', 1000])
    expect(says(job, { transfers: { refund: [] } }, 11 * MINUTE)).toEqual([['failed'], AMOUNT])
    const refund = (state: Transfer['state']) => ({ transfers: { refund: [re('re_1', 1000, state, 'r1')] } })
    expect(says(job, refund('pending'))).toEqual([['failed'], 250])
    expect(transfersOf(job.state)).toMatchObject([{ own: 'r1', state: 'pending' }])
    expect(says(job, refund('done'))).toEqual([['done'], 250])
  })

  it.each<[string, [string, number][], number, string[]]>([
    [
      'is one of two',
      [
        ['r1', 500],
        ['r2', 300],
      ],
      500,
      ['done', 'asking'],
    ],
    [
      'may be either of two',
      [
        ['r1', 500],
        ['r2', 500],
      ],
      500,
      ['asking', 'asking'],
    ],
    [
      'is both',
      [
        ['r1', 500],
        ['r2', 500],
      ],
      1000,
      ['done', 'done'],
    ],
    [
      'may have neither',
      [
        ['r1', 500],
        ['r2', 500],
      ],
      100,
      ['asking', 'asking'],
    ],
  ])(
    'when the total of two lost refunds %s, then only what is sure is done',
    (_, refunds, refunded, states) => {
      const job = lost(paidJob(), ...refunds)
      expect(says(job, { refunded, transfers: { refund: [] } })[0]).toEqual(states)
    },
  )

  it('when a done refund is only in the total, then it does not make a lost one done', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', DONE)
    lost(job, ['r2', 500])
    expect(says(job, { refunded: 500, transfers: { refund: [] } })).toEqual([['done', 'asking'], 250])
  })

  it.each([
    [500, ['asking'], 250],
    [1000, ['done'], 250],
  ])(
    'when a refund by hand is only in the total, then it makes no later one done: %i',
    (refunded, states, rest) => {
      const job = paidJob()
      says(job, { refunded: 500, transfers: { refund: [] } })
      says(job, { refunded: 500, transfers: { refund: [re('re_8', 0, 'done')] } })
      lost(job, ['r1', 500])
      expect(says(job, { refunded, transfers: { refund: [] } })).toEqual([states, rest])
    },
  )

  it.each([
    [250, 'failed'],
    [750, 'done'],
  ])(
    'when there never is a list, then the total of %i says at the end that a refund is %s',
    (refunded, end) => {
      const job = paidJob()
      says(job, { refunded: 250 })
      job.refund('r1', 500)
      job.answered('r1', TAKEN)
      expect(says(job, { refunded })[0]).toEqual(['pending'])
      job.now += 90 * DAY
      job.answered('r1', NO_ANSWER)
      expect([job.state.instructions[0]?.state, mostOf(job.state, 'refund')]).toEqual([end, 1250 - refunded])
    },
  )

  it('when the total made a lost refund done, and the list then shows one by hand, then it has failed', () => {
    const job = lost(paidJob(), ['r1', 500])
    expect(says(job, { refunded: 500, transfers: { refund: [] } })).toEqual([['done'], 750])
    const byHand = { refunded: 500, transfers: { refund: [re('re_9', 500, 'done')] } }
    expect(says(job, byHand, 11 * MINUTE)).toEqual([['failed'], 750])
  })

  it.each<[string, Partial<Observation>, Partial<Observation>, number]>([
    ['refunds', { refunded: 100, transfers: { refund: [re('re_9', 100, 'done')] } }, { refunded: 500 }, 750],
    ['refunds', { refunded: 500, transfers: { refund: [re('re_9', 500, 'done')] } }, { refunded: 500 }, 750],
    ['disputes', { transfers: { dispute: [re('dp_9', 100, 'done')] } }, { chargedBack: AMOUNT }, 0],
  ])('when %s are only in the total from now on, then the total counts, and once', (_, first, then, rest) => {
    const job = paidJob()
    says(job, first)
    expect(says(job, then)[1]).toBe(rest)
    const empty = { refunded: 0, transfers: { refund: [], dispute: [] }, ...then }
    expect(says(job, empty)[1]).toBe(rest)
  })

  it('when a refund by hand is dropped, then its money can go back again after a day', () => {
    const job = paidJob()
    expect(says(job, { transfers: { refund: [re('re_9', 500, 'pending')] } })[1]).toBe(750)
    expect(says(job, { transfers: { refund: [] } })[1]).toBe(750)
    expect(says(job, { transfers: { refund: [] } }, DAY)[1]).toBe(AMOUNT)
  })
})

it('given a release that failed, when another is on its way, then the first does not settle it', () => {
  const job = reservedJob()
  for (const id of ['0a', '0b']) {
    job.wants('release', id)
    job.answered(id, { ...TAKEN, reference: null })
    answers(job, reserved(0, { transfers: { release: [{ id: 'x', amount: AMOUNT, state: 'failed' }] } }))
  }
  expect(job.state.instructions).toMatchObject([{ state: 'failed' }, { state: 'pending' }])
})

it('given a reservation that ends unpaid, when its PSP counts it as charged back, then it has no dispute', () => {
  const job = reservedJob()
  answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, chargedBack: AMOUNT, transfers: { dispute: [] } }))
  expect(transfersOf(job.state)).toEqual([])
})
