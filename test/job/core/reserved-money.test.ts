import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { askedAgain } from '../../../src/job/core/instruct.ts'
import { descriptionOf } from '../../../src/job/core/instructions.ts'
import { represent } from '../../../src/job/core/show.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NO_ANSWER,
  NOW,
  SILENT,
  TAKEN,
  TOOK,
  UNDER_WAY,
  WHERE,
  playedJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { CAPTURED, REFUSED, money, captures, answers, hubDoes } from '../../support/jobs/reserved-job.ts'
import { OF_RESERVED, ofKind } from '../../../src/job/core/payment.ts'
import type { Transfer } from '../../../src/psp/answer.ts'

describe('money that is reserved', () => {
  it('is captured at once if the order captures automatically, and its rest is released', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved(0, {}, AMOUNT + 100) })
    expect(job.due('capture')).toBe(0)
    expect(represent(job.state)).not.toHaveProperty('captureBefore')
    hubDoes(job, 'h1')
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([
      { kind: 'capture', amount: AMOUNT, final: true, byHub: true },
    ])
    expect(ofKind(job.state, ...OF_RESERVED).map(askedAgain)).toMatchObject([{ final: true, byHub: true }])
    expect(ofKind(job.state, ...OF_RESERVED)[0]?.description).toBe(descriptionOf(job.state, 'capture'))
    expect(job.owed()).not.toContain('capture')
    job.answered('h1', CAPTURED)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT + 100, released: 100 }))
    expect(money(job)).toEqual({ status: 'SUCCESS', paid: '12.50', due: '0.00' })
  })

  it('is captured again by the hub if its capture failed after the order was paid', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved() })
    hubDoes(job, 'h1')
    job.answered('h1', CAPTURED)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    expect(job.owed()).not.toContain('capture')
    job.answered('h1', { is: 'failed', message: 'No.' })
    answers(job, reserved(0))
    expect(hubDoes(job, 'h2')).toBe('capture')
    expect(ofKind(job.state, ...OF_RESERVED)[1]).toMatchObject({ amount: AMOUNT })
  })

  it('is reported once if the hub captures it, and not if the PSP refuses that', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved() })
    const { revision } = job.state
    hubDoes(job, 'h1')
    job.answered('h1', TAKEN)
    job.answered('h1', { is: 'failed', message: 'No.' })
    expect([ofKind(job.state, ...OF_RESERVED)[0]?.state, job.state.revision]).toEqual(['failed', revision])
  })

  it('at two accounts is captured at both if the order needs both', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved(0, {}, 500) })
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: reserved(0, {}, 800) })
    for (const [account, amount] of [
      ['mollie', 500],
      ['a', 750],
    ] as const) {
      job.tell({ do: 'instruct', kind: 'capture', ...WHERE, account, id: account })
      expect(ofKind(job.state, ...OF_RESERVED).at(-1)).toMatchObject({ account, amount })
    }
  })

  it('is neither captured nor released by the hub if it does not want that, or not yet', () => {
    const job = reservedJob()
    const does = (kind: 'capture' | 'release', where = WHERE) =>
      job.tell({ do: 'instruct', kind, ...where, id: 'h1' }).length
    expect([does('capture'), does('release')]).toEqual([0, 0])
    job.now = NOW + 3 * DAY - 1
    expect(does('release')).toBe(0)
    job.now += 1
    expect([does('capture'), does('release', { ...WHERE, account: 'a' })]).toEqual([0, 0])
    expect([does('release'), does('release')]).toEqual([1, 0])
    expect(ofKind(job.state, ...OF_RESERVED)[0]).not.toHaveProperty('final')
  })

  it('counts a part that an operator captured at the PSP as that part', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }) })
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('of an order that captures automatically is waited for no longer than its PSP holds it', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved() })
    hubDoes(job, 'h1')
    job.answered('h1', REFUSED)
    job.now = NOW + 3 * DAY
    job.hears('duty', { answer: reserved() })
    expect(job.status()).toBe('EXPIRED')
    const underWay = playedOrder({ capture: 'manual' })
    underWay.hears('other', { answer: UNDER_WAY })
    underWay.now = NOW + 14 * DAY
    underWay.hears('duty', { answer: UNDER_WAY })
    expect(underWay.status()).toBe('EXPIRED')
  })

  it('is released at the deadline: nothing captured is EXPIRED, a part is SUCCESS', () => {
    for (const paid of [0, 500]) {
      const job = reservedJob()
      captures(job, 'c0', 100, REFUSED as never)
      if (paid > 0) captures(job, 'c1', paid)
      answers(job, reserved(paid))
      expect(job.due('release')).toBe(NOW + 3 * DAY - job.now)
      expect(hubDoes(job, 'h1')).toBe('release')
      job.answered('h1', DONE)
      const totals = { authorized: AMOUNT, released: AMOUNT - paid }
      answers(job, paid === 0 ? seen('CANCELLED', 0, totals) : seen('SUCCESS', paid, totals))
      expect(job.status()).toBe(paid === 0 ? 'EXPIRED' : 'SUCCESS')
      expect(money(job).due).toBe(paid === 0 ? '12.50' : '0.00')
    }
  })

  it.each([
    ['refuses to let go', REFUSED],
    ['takes its time', TAKEN],
  ])(
    'is not given up at the end while the PSP %s: the hub keeps asking, and ends after days',
    (_, answer) => {
      const job = reservedJob()
      job.now = NOW + 3 * DAY
      hubDoes(job, 'h1')
      job.answered('h1', answer)
      for (let at = 0; at < 20 && job.status() === 'PENDING'; at++) {
        job.untilDue('ask', 'stop')
        job.hears('duty', { answer: reserved() })
      }
      expect(job.status()).toBe('EXPIRED')
      expect(represent(job.state)).not.toHaveProperty('captureBefore')
      expect(job.now).toBeGreaterThan(NOW + 5 * DAY)
      expect(job.owed()).toContain(answer === REFUSED ? 'release' : 'instruct')
    },
  )

  it('with a captured part is paid with that part, even if the PSP never releases the rest', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.now = NOW + 3 * DAY
    hubDoes(job, 'h1')
    job.answered('h1', REFUSED)
    for (let at = 0; at < 20 && job.status() === 'PENDING'; at++) {
      job.untilDue('ask', 'stop')
      job.hears('duty', { answer: reserved(500) })
    }
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', due: '0.00' })
  })

  it.each([
    ['before the end is captured', NOW, 'capture'],
    ['after the end is released', NOW + 1, 'release'],
    ['at a time that the PSP does not say is released', 0, 'release'],
  ])('%s, even if the hub learns about it after that', (_, authorizedAt, kind) => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    answers(job, reserved(0, { authorizedAt }))
    expect(hubDoes(job, 'h1')).toBe(kind)
  })

  it('after the end of an order that its point of sale captures is released', () => {
    const job = playedOrder({ capture: 'manual' })
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    answers(job, reserved(0, { authorizedAt: NOW - MINUTE }))
    expect(job.due('release')).toBe(0)
    expect(hubDoes(job, 'h1')).toBe('release')
  })

  it.each([{ capture: 'manual' } as const, {}])(
    'a second time is released, whichever account has it: %o',
    (order) => {
      const job = playedOrder(order, ['a', SILENT], ['mollie', TOOK])
      job.hears('other', { answer: reserved() })
      job.tries(['a', { ...TOOK, reference: 'a_1' }])
      job.hearsOf({ account: 'a', reference: 'a_1', why: 'duty' }, { answer: reserved() })
      expect(job.duties().filter((duty) => duty.do === 'release' && duty.at <= job.now)).toMatchObject([
        { payment: { account: 'a' } },
      ])
      expect(money(job)).toMatchObject({ status: 'PENDING' })
    },
  )

  it('and was released at another account is still due at the account that holds it', () => {
    const job = playedOrder({ capture: 'manual' }, ['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved() })
    const gone = seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT })
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: gone })
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('can be captured if another account holds none of it', () => {
    const job = playedOrder({ capture: 'manual' }, ['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved() })
    expect(captures(job, 'c1', 500)).toMatchObject({ value: [{ account: 'mollie', amount: 500 }] })
    answers(job, reserved(500))
    expect(job.trace().at(-1)).toBe('Capture PENDING 500')
  })

  it('is requested again by plan while an answer is lost, and is settled by what the PSP says then', () => {
    const job = reservedJob()
    job.wants('capture', 'c1')
    job.answered('c1', NO_ANSWER)
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'asking' }])
    job.untilDue('instruct')
    job.answered('c1', CAPTURED)
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'done', pspId: 'cpt_1' }])
    expect(job.owed()).not.toContain('instruct')
    expect(job.owed()).toContain('ask')
  })
})

describe('a capture that was done', () => {
  /** The PSP lists captures, by default one of 5.00 by the hub, of which it counts `paid`. */
  const lists = (job: Job, paid: number, ...capture: Transfer[]) =>
    answers(job, reserved(paid, { transfers: { capture } }))
  const OWN = { id: 'cpt_1', own: 'c1', amount: 500, state: 'done' } as const
  const done = () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    lists(job, 500, OWN)
    return job
  }

  it('and failed is paid no more, and its money can be captured again', () => {
    const job = done()
    lists(job, 0, { ...OWN, state: 'failed', why: 'The bank refused it.' })
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([
      { state: 'failed', error: 'The bank refused it.' },
    ])
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00', due: '12.50' })
    expect(captures(job, 'c2', 1250)).toMatchObject({ ok: true })
  })

  it('and failed has failed, although somebody captured as much at the PSP', () => {
    const job = done()
    lists(job, 500, { ...OWN, state: 'failed' }, { id: 'cpt_2', amount: 500, state: 'done' })
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'failed' }])
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it('counts although an answer lags behind', () => {
    const job = done()
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ paid: '5.00', due: '7.50' })
  })

  it('is made up for by a new one once the PSP counts that, not before', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    captures(job, 'c2', 750)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    job.answered('c1', { is: 'failed', message: 'The bank refused it.' })
    answers(job, reserved(750))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', refunded: '5.00' })
    captures(job, 'c3', 500)
    answers(job, reserved(750))
    expect(money(job)).toMatchObject({ refunded: '5.00' })
    answers(job, reserved(AMOUNT))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: undefined })
  })
})

it('a capture whose result the PSP never says does not hold money for ever', () => {
  const job = reservedJob()
  job.wants('capture', 'c1')
  job.answered('c1', NO_ANSWER)
  expect(job.due('release')).toBe(NOW + 3 * DAY - job.now)
  expect(hubDoes(job, 'h1')).toBe('release')
  expect(ofKind(job.state, ...OF_RESERVED).at(-1)).toMatchObject({ kind: 'release', amount: AMOUNT })
  expect(job.owed()).not.toContain('release')
  job.answered('h1', DONE)
  answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
  expect(job.status()).toBe('EXPIRED')
})

it('a capture that is requested just before the deadline has a day to be answered', () => {
  const job = reservedJob()
  job.wants('capture', 'c0', { amount: 500 })
  job.now = NOW + 3 * DAY - MINUTE
  job.wants('capture', 'c1')
  expect(job.due('release')).toBe(DAY)
})

it('a capture that the PSP counts but has not confirmed yet leaves nothing to release', () => {
  const job = reservedJob()
  captures(job, 'c1', null, TAKEN as never)
  answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
  expect(job.due('release')).toBeNull()
})

it('money of an unsure capture that the PSP does not release is tried less and less often, and in the end no more', () => {
  const job = reservedJob()
  job.wants('capture', 'c1')
  job.now = NOW + 4 * DAY
  const pauses: number[] = []
  for (let at = 0; at < 50 && job.owed().includes('release'); at++) {
    pauses.push(job.due('release') ?? 0)
    hubDoes(job, `h${at}`)
    job.answered(`h${at}`, REFUSED)
  }
  expect(pauses.length).toBe(34)
  expect(pauses[1]).toBeGreaterThan(MINUTE / 2)
  expect(pauses.at(-1)).toBeGreaterThan(DAY / 2)
})

it('a capture that the PSP made, and whose payment never showed it, makes no order paid', () => {
  const job = playedJob()
  job.hears('other', { answer: reserved() })
  hubDoes(job, 'h1')
  job.answered('h1', CAPTURED)
  answers(job, reserved())
  expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00' })
  job.untilDue('ask')
  job.answered('h1', { is: 'failed', message: 'No.' })
  expect(job.owed()).toContain('capture')
})
