import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { transfersOf } from '../../../src/job/core/all-transfers.ts'
import {
  type Known,
  TOTAL,
  byOthersIn,
  earlierInTotal,
  isOf,
  listsOf,
  listsOfMoves,
  merged,
  unlistedIn,
} from '../../../src/job/core/transfers.ts'
import type { MoneyMove, Transfer } from '../../../src/psp/answer.ts'
import { AMOUNT, paidJob, playedOrder, reserved, seen } from '../../support/jobs/played-job.ts'
import { answers } from '../../support/jobs/reserved-job.ts'

const [THEN, NOW] = [1000, 2000]
const re = (id: string, amount: number, state: Transfer['state'] = 'done'): Transfer => ({
  id,
  amount,
  state,
})
const known = (...all: Transfer[]) => ({ refund: all.map((one): Known => ({ ...one, at: THEN })) })

describe('given a refund that is known', () => {
  it.each([
    ['pending', 'done', 'done'],
    ['pending', 'failed', 'failed'],
    ['pending', 'returned', 'returned'],
    ['done', 'returned', 'returned'],
    ['done', 'failed', 'returned'],
    ['done', 'pending', 'done'],
    ['failed', 'done', 'done'],
    ['failed', 'pending', 'failed'],
    ['returned', 'done', 'done'],
    ['returned', 'pending', 'returned'],
  ] as const)('when the PSP lists the %s one as %s, then it is %s', (before, shown, after) => {
    const at = before === after ? THEN : NOW
    const lists = merged(known(re('x', 500, before)), { refund: [re('x', 500, shown)] }, {}, NOW)
    expect(lists).toEqual({ refund: [{ ...re('x', 500, after), at }] })
  })

  it('when the PSP lists it by its own id under another of the PSP, then it is one refund', () => {
    const own = { own: 'r1' }
    const lists = merged(
      known({ ...re('x', 500), ...own }),
      { refund: [{ ...re('y', 500), ...own }] },
      {},
      NOW,
    )
    expect(lists.refund).toMatchObject([{ id: 'y', own: 'r1' }])
    expect(merged(known(re('x', 500)), { refund: [re('y', 500)] }, {}, NOW).refund).toHaveLength(2)
  })

  it.each([
    ['pending', DAY - 1, true],
    ['pending', DAY, false],
    ['done', DAY, true],
  ] as const)('when a list lacks the %s one after %d ms, then it is kept: %s', (state, after, isKept) => {
    const lists = merged(known(re('x', 500, state)), { refund: [] }, {}, THEN + after)
    expect(lists.refund).toHaveLength(isKept ? 1 : 0)
  })

  it('when an answer has only a total, or nothing about refunds, then it stays', () => {
    const before = known(re('x', 500, 'pending'))
    expect(merged(before, {}, {}, THEN + DAY)).toEqual(before)
    expect(merged(before, {}, { refund: 500 }, THEN + DAY)).toEqual(before)
  })
})

describe('given a total of 7.00', () => {
  const rest = (shown: Transfer[], kind: 'refund' | 'dispute' = 'refund') =>
    merged(null, { [kind]: shown }, { [kind]: 700 }, NOW)[kind]?.find(({ id }) => id === TOTAL)?.amount

  it.each([
    ['refund', 'done', 200],
    ['refund', 'pending', 200],
    ['refund', 'failed', 700],
    ['refund', 'returned', 700],
    ['dispute', 'returned', 200],
    ['dispute', 'failed', 700],
  ] as const)('when a %s of 5.00 is listed as %s, then %d are in the total only', (kind, state, amount) => {
    expect(rest([re('x', 500, state)], kind)).toBe(amount)
  })

  it('when the list explains it, then nothing is in the total only', () => {
    expect(rest([re('x', 700)])).toBeUndefined()
    expect(rest([re('x', 900)])).toBeUndefined()
  })

  it('when the total grows, then it is known since then, and otherwise since before', () => {
    const before = known(re(TOTAL, 700))
    expect(merged(before, { refund: [] }, { refund: 700 }, NOW)).toEqual(before)
    const more = merged(before, { refund: [re(TOTAL, 1)] }, { refund: 900 }, NOW)
    expect(more).toEqual({ refund: [{ ...re(TOTAL, 900), at: NOW }] })
  })
})

describe('given instructions', () => {
  const asked = (id: string, amount: number, state = 'pending', pspId: string | null = null) => ({
    id,
    amount,
    state,
    pspId,
  })

  it('when a list has one by either id, then it does not lack it', () => {
    const all = [asked('r1', 500, 'done', 'x'), asked('r2', 500), asked('r3', 500, 'failed')]
    const ids = (list: Transfer[]) => unlistedIn(list, all).map(({ id }) => id)
    expect(ids([])).toEqual(['r1', 'r2'])
    expect(ids([re('x', 500), re('z', 500)])).toEqual(['r2'])
    expect(ids([{ ...re('y', 500), own: 'r2' }])).toEqual(['r1'])
  })

  it('when a PSP shows only the beginning of the id, then it is that one', () => {
    expect(isOf(asked('r1-long', 1), { ...re('x', 1), own: 'r1' })).toBe(true)
    expect(isOf(asked('r1-long', 1), { ...re('x', 1), own: 'long' })).toBe(false)
    expect(isOf(asked('undefined', 1), re('x', 1))).toBe(false)
  })

  it('when the total has more than the list, then what others had done before comes first', () => {
    const list = [re('x', 300), re(TOTAL, 400)]
    expect(earlierInTotal(list, [], 500)).toBe(200)
    expect(earlierInTotal(list, [], 300)).toBe(0)
    expect(earlierInTotal(list, [], 900)).toBe(400)
    expect(byOthersIn(list, [], 0)).toBe(700)
    expect(byOthersIn(list, [asked('r1', 400)], 0)).toBe(300)
    expect(byOthersIn(list, [asked('r1', 400)], 500)).toBe(500)
    expect(byOthersIn([...list, re('y', 50, 'failed')], [asked('r1', 400, 'failed')], 0)).toBe(700)
    expect(byOthersIn(undefined, [], 0)).toBeUndefined()
  })
})

describe('given moves of money that are signed', () => {
  let count = 0
  const move = (kind: MoneyMove['kind'], amount: number, more: Partial<MoneyMove> = {}): MoneyMove => ({
    id: `m${++count}`,
    kind,
    amount,
    ...more,
  })

  it('when a refund failed, then it has failed, whichever word came first', () => {
    const words = [
      move('refund', 500, { reference: 'x', refund: 'r1', of: 'card' }),
      move('refund-failed', 500, { reference: 'x', error: 'closed account' }),
    ]
    for (const all of [words, words.toReversed()])
      expect(listsOfMoves(all)).toEqual({
        refund: [
          { id: 'x', own: 'r1', of: 'card', amount: 500, state: 'failed', why: 'closed account', at: 0 },
        ],
      })
    expect(listsOfMoves([...words, move('refund', 500, { reference: 'x' })]).refund).toMatchObject([
      { state: 'failed' },
    ])
  })

  it('when a word has no more than an amount, then the transfer has no more', () => {
    expect(listsOfMoves([move('capture', 500, { id: 'm' })])).toEqual({
      capture: [{ id: 'm', amount: 500, state: 'done', at: 0 }],
    })
    expect(listsOfMoves([move('refund-not-yet', 0), move('part', 500)])).toEqual({})
  })

  it('when a dispute is won in part, then the rest is lost; when it is won, then all came back', () => {
    const taken = move('chargeback', 900, { reference: 'd' })
    const back = (amount: number) => move('chargeback-reversed', amount, { reference: 'd', of: 'card' })
    const of = { id: 'd', of: 'card', at: 0 }
    expect(listsOfMoves([taken, back(400)])).toEqual({ dispute: [{ ...of, amount: 500, state: 'done' }] })
    expect(listsOfMoves([taken, back(400), back(500)])).toEqual({
      dispute: [{ ...of, amount: 900, state: 'returned' }],
    })
    expect(listsOfMoves([move('chargeback', 900, { id: 'CHARGEBACK:true:d' })])).toEqual({
      dispute: [{ id: 'd', amount: 900, state: 'done', at: 0 }],
    })
    expect(listsOfMoves([move('chargeback', 900, { id: 'old' })]).dispute).toMatchObject([{ id: '' }])
  })

  it('when the PSP lists nothing, then they count; when it has a list, then that does', () => {
    const moves = [move('refund', 500, { id: 'm' })]
    const signed = listsOfMoves(moves)
    expect(listsOf({ transfers: null, moves })).toEqual(signed)
    expect(listsOf({ transfers: {}, moves })).toEqual(signed)
    expect(listsOf({ transfers: { refund: [] }, moves })).toEqual({ refund: [] })
  })
})

describe('given totals of a PSP that lists nothing', () => {
  it('when the hub asked for none of it, then each is one transfer', () => {
    const job = paidJob()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 500, chargedBack: 250 }) })
    expect(transfersOf(job.state)).toMatchObject([
      { kind: 'refund', id: TOTAL, own: null, amount: 500, state: 'done' },
      { kind: 'dispute', id: TOTAL, own: null, amount: 250, state: 'done' },
    ])
  })

  it('when reserved money was captured by hand, then the capture is one; a plain payment has none', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, reserved(500))
    expect(transfersOf(job.state)).toMatchObject([{ kind: 'capture', id: TOTAL, amount: 500 }])
    expect(transfersOf(paidJob().state)).toEqual([])
  })
})
