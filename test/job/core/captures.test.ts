import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { askedAgain, mostOf } from '../../../src/job/core/instruct.ts'
import { descriptionOf } from '../../../src/job/core/instructions.ts'
import { capturesOf, represent, representCapture } from '../../../src/job/core/show.ts'
import { untilOf } from '../../../src/job/core/state.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
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
} from '../../support/played-job.ts'

const CAPTURED = { is: 'taken', reference: 'cpt_1', state: 'done' } as const
const REFUSED = { is: 'refused', message: 'The amount is too high.' } as const

/** What a shop reads of the money. */
function money(job: Job) {
  const { status, amountPaid, amountDue, amountAuthorized, amountReleased, amountRefunded } = represent(
    job.state,
  )
  return {
    status,
    paid: amountPaid,
    due: amountDue,
    authorized: amountAuthorized,
    released: amountReleased,
    refunded: amountRefunded,
  }
}

/** The shop captures a part, and the PSP says that it did. */
function captures(job: Job, id: string, amount: number | null, answer = CAPTURED) {
  const decided = job.wants('capture', id, { amount })
  job.answered(id, answer)
  return decided
}

function answers(job: Job, answer: ReturnType<typeof seen>) {
  job.now += 1000
  job.hears('other', { answer })
}

/** The hub does what it wants of reserved money; the kind of it. */
function hubDoes(job: Job, id: string): string {
  job.untilDue('capture', 'release')
  const duty = job.duties().find((one) => one.do === 'capture' || one.do === 'release')
  if (duty?.do !== 'capture' && duty?.do !== 'release') throw new Error('nothing is wanted')
  const { account, reference } = duty.payment
  expect(job.tell({ do: 'instruct', kind: duty.do, account, reference, id })).toHaveLength(1)
  return duty.do
}

describe('an order that its point of sale captures', () => {
  it('is PENDING once its money is reserved, says so, and is reported', () => {
    const job = reservedJob()
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00', due: '12.50', authorized: '12.50' })
    expect(represent(job.state)).toMatchObject({
      captureBefore: '2026-02-03T10:00:00.000000Z',
      payments: { steps: [{}, { stage: 'authorized', amountAuthorized: '12.50' }] },
    })
    expect(job.due('report')).toBe(-MINUTE)
    expect(job.owed()).not.toContain('capture')
  })

  it('is captured in parts: what is due falls, and with the last it is SUCCESS', () => {
    const job = reservedJob()
    expect(captures(job, 'c1', 500)).toMatchObject({ ok: true })
    answers(job, reserved(500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50', authorized: '12.50' })
    expect(captures(job, 'c2', null)).toMatchObject({ ok: true })
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', due: '0.00' })
    expect(job.trace()).toEqual([
      'Start PENDING 0',
      'Statuspull PENDING 0',
      'Capture PENDING 500',
      'Capture SUCCESS 1250',
    ])
    for (const refunded of [0, 500, 500])
      answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT, refunded }))
    expect(job.trace().slice(-2)).toEqual(['Capture SUCCESS 1250', 'Refund SUCCESS 1250'])
    expect(job.state.movements.slice(0, 2).map(({ is, amount }) => [is, amount])).toEqual([
      ['payment', 500],
      ['payment', 750],
    ])
  })

  it('has a step for what is refunded of a captured part, and none for being asked about once more', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    for (const refunded of [0, 200, 200]) answers(job, reserved(500, { refunded }))
    expect(job.trace().slice(-2)).toEqual(['Capture PENDING 500', 'Refund PENDING 500'])
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({
      stage: 'authorized',
      amountRefunded: '2.00',
    })
  })

  it('takes no more than is reserved, also where several captures come at once', () => {
    const job = reservedJob()
    expect(job.wants('capture', 'c0', { amount: AMOUNT + 1 })).toMatchObject({
      error: { kind: 'capture', is: 'too-much', rest: AMOUNT },
    })
    const taken = ['c1', 'c2', 'c3'].map((id) => job.wants('capture', id, { amount: 500 }).ok)
    expect(taken).toEqual([true, true, false])
    expect(job.wants('capture', 'rest')).toMatchObject({ ok: true })
    expect(job.state.captures.map(({ amount }) => amount)).toEqual([500, 500, 250])
    expect(job.wants('capture', 'more')).toMatchObject({ error: { is: 'nothing-left' } })
    expect(job.wants('release', 'r')).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it.each([
    ['final', { amount: 500, final: true }, []],
    ['at a PSP that captures once', { amount: 500 }, ['mollie']],
  ])('leaves nothing after a capture that is %s, and is SUCCESS with what was captured', (_, more, once) => {
    const job = reservedJob()
    expect(job.wants('capture', 'c1', more, once)).toMatchObject({ value: [{ final: true }] })
    expect(job.wants('capture', 'c2', { amount: 1 })).toMatchObject({ error: { is: 'nothing-left' } })
    job.answered('c1', CAPTURED)
    answers(job, seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', due: '0.00', released: '7.50' })
    expect(job.state.movements).toMatchObject([{ is: 'payment', amount: 500 }])
  })

  it('can be captured in parts where the PSP says so of the payment', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, reserved(0, { inParts: true }))
    expect(job.wants('capture', 'c1', { amount: 500 }, ['mollie'])).toMatchObject({ ok: true })
    expect(job.wants('capture', 'c2', { amount: 500 }, ['mollie'])).toMatchObject({ ok: true })
    expect(job.state.captures.map(({ final }) => final)).toEqual([undefined, undefined])
  })

  it('is the same capture under the same id, and refuses another under it', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 })
    const before = job.entries.length
    expect(job.wants('capture', 'c1', { amount: 500 })).toMatchObject({ ok: true, value: [] })
    expect(job.wants('capture', 'c1', { fingerprint: 'other' })).toMatchObject({
      error: { is: 'other-capture' },
    })
    expect(job.wants('release', 'c1')).toMatchObject({ error: { is: 'other-release' } })
    expect(job.entries).toHaveLength(before)
  })

  it('is captured no more than it asks for, where more is reserved; a release lets go of all', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, reserved(0, {}, AMOUNT + 100))
    expect([mostOf(job.state, 'capture'), mostOf(job.state, 'release')]).toEqual([AMOUNT, AMOUNT + 100])
    expect(job.wants('capture', 'c1', { amount: AMOUNT + 1 })).toMatchObject({ error: { rest: AMOUNT } })
    expect(job.wants('capture', 'c1')).toMatchObject({ value: [{ amount: AMOUNT }] })
    expect(job.wants('capture', 'c2')).toMatchObject({ error: { is: 'nothing-left' } })
    job.answered('c1', CAPTURED)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT + 100, released: 100 }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', due: '0.00', released: undefined })
    const other = playedOrder({ capture: 'manual' })
    answers(other, reserved(0, {}, AMOUNT + 100))
    expect(other.wants('release', 'r1')).toMatchObject({ value: [{ amount: AMOUNT + 100 }] })
    const late = playedOrder({ capture: 'manual' })
    answers(late, reserved(0, {}, AMOUNT + 100))
    expect(hubDoes(late, 'h1')).toBe('release')
    expect(late.state.captures).toMatchObject([{ amount: AMOUNT + 100 }])
  })

  it('waits for the rest where a part of it was paid, and nothing reserved', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, seen('SUCCESS', 500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('can be captured while its time lasts where the PSP names no deadline, and not for ever', () => {
    const { captureBefore: _, ...without } = reserved()
    const job = playedOrder({ capture: 'manual' })
    job.hears('other', { answer: without })
    expect(represent(job.state)).toMatchObject({ captureBefore: '2026-02-07T10:00:00.000000Z' })
    expect(job.due('release')).toBe(7 * DAY)
    captures(job, 'c1', null)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    job.answered('c1', { is: 'failed', message: 'No.' })
    answers(job, without)
    expect(job.due('release')).toBeNull()
  })

  it('has a step for each part that somebody lets go of at the PSP, and none for the same answer again', () => {
    const job = reservedJob()
    const { revision } = job.state
    for (const released of [100, 200, 200]) answers(job, reserved(0, { released }))
    expect(job.trace().slice(2)).toEqual(['Release PENDING 0', 'Release PENDING 0'])
    expect(job.state.revision).toBe(revision + 2)
  })

  it('has no step for a customer who comes back and finds what was captured or released already', () => {
    const job = reservedJob()
    for (const [paid, released] of [
      [500, 0],
      [500, 100],
    ] as const) {
      answers(job, reserved(paid, { released }))
      const before = job.trace()
      job.hears('back', { answer: reserved(paid, { released }) })
      expect(job.trace()).toEqual(before)
    }
    for (let at = 0; at < 2; at++) answers(job, reserved(500, { released: 100, refunded: 200 }))
    const [capture, release, refund] = ['Capture', 'Release', 'Refund'].map((one) => `${one} PENDING 500`)
    expect(job.trace().slice(2)).toEqual([capture, release, refund])
  })

  it('has a step for a customer who comes back after a refund of what was captured, and one only', () => {
    const job = reservedJob()
    const refunded = reserved(500, { refunded: 200 })
    for (const answer of [reserved(500), refunded]) answers(job, answer)
    for (let times = 0; times < 2; times++) job.hears('back', { answer: refunded })
    expect(job.trace().slice(2)).toEqual(['Capture PENDING 500', 'Refund PENDING 500', 'Return PENDING 500'])
  })

  it('shows how much is reserved, also where that grows', () => {
    const job = reservedJob()
    answers(job, reserved(0, {}, AMOUNT + 100))
    expect(money(job)).toMatchObject({ authorized: '13.50' })
  })

  it.each([
    [seen('SUCCESS', 500), { status: 'SUCCESS', paid: '5.00', due: '0.00', released: '7.50' }],
    [seen('CANCELLED'), { status: 'CANCELLED', paid: '0.00', due: '12.50', released: '12.50' }],
  ])('has nothing reserved once its PSP calls it over, though that names no total', (answer, shown) => {
    const job = reservedJob()
    answers(job, answer)
    expect(money(job)).toMatchObject(shown)
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: shown.released })
    expect(job.owed()).not.toContain('release')
  })

  it('waits for a capture until the deadline, and for a rest as long as its customer may pay', () => {
    expect(untilOf(reservedJob().state)).toBe(NOW + 3 * DAY)
    const job = playedOrder({ capture: 'manual' })
    answers(job, seen('SUCCESS', 500, { captureBefore: NOW + 3 * DAY }))
    expect(untilOf(job.state)).toBe(NOW + DAY + MINUTE)
  })

  it('keeps the deadline that the PSP named, where a later answer names none', () => {
    const job = reservedJob()
    const { captureBefore: _, ...without } = reserved()
    answers(job, without)
    expect(represent(job.state)).toMatchObject({ captureBefore: '2026-02-03T10:00:00.000000Z' })
    answers(job, reserved(0, { captureBefore: NOW + 2 * DAY }))
    expect(represent(job.state)).toMatchObject({ captureBefore: '2026-02-02T10:00:00.000000Z' })
  })

  it('shows once what a capture took back that failed after the order was paid', () => {
    const job = reservedJob()
    captures(job, 'c1', null)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    job.answered('c1', { is: 'failed', message: 'No.' })
    for (let at = 0; at < 2; at++) {
      answers(job, reserved(0))
      expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: '12.50' })
    }
    expect(job.wants('capture', 'c2')).toMatchObject({ value: [{ amount: AMOUNT }] })
    expect(job.wants('capture', 'c3')).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it('is a hundred captures at most', () => {
    const job = reservedJob()
    for (let at = 0; at < 100; at++) job.wants('capture', `c${at}`, { amount: 1 })
    expect(job.wants('capture', 'more', { amount: 1 })).toMatchObject({ error: { is: 'too-many' } })
  })

  it('is told which capture failed and why, and can be captured again', () => {
    const job = reservedJob()
    const { revision } = job.state
    captures(job, 'c0', 500, REFUSED as never)
    captures(job, 'c1', 500, TAKEN as never)
    expect(job.state.captures).toMatchObject([{ state: 'failed' }, { state: 'pending' }])
    answers(job, reserved())
    expect(money(job)).toMatchObject({ paid: '0.00' })
    job.now += MINUTE
    expect(job.state.revision).toBe(revision)
    job.answered('c1', { is: 'failed', message: 'The card is lost.' })
    expect(job.state.revision).toBe(revision + 1)
    expect(capturesOf(job.state).map((one) => representCapture(job.state, one))).toMatchObject([
      { capture: 'c0', amount: '5.00', status: 'FAILURE', error: REFUSED.message },
      { capture: 'c1', amount: '5.00', status: 'FAILURE', error: 'The card is lost.' },
    ])
    expect(represent(job.state).error).toBe('The card is lost.')
    expect(captures(job, 'c2', null)).toMatchObject({ ok: true })
    expect(represent(job.state).error).toBeNull()
  })

  it('counts a capture that fails after it was counted no more, while the order waits for more', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.answered('c1', { is: 'failed', message: 'The card is lost.' })
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00', due: '12.50' })
    expect(job.wants('capture', 'c2')).toMatchObject({ ok: true })
    expect(job.state.captures.at(-1)?.amount).toBe(AMOUNT)
  })

  it('keeps what a done capture counts where an answer lags behind', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it('counts what was captured by hand at the PSP, and never asks for that again', () => {
    const job = reservedJob()
    answers(job, reserved(500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00' })
    expect(job.wants('capture', 'c1')).toMatchObject({ value: [{ amount: 750 }] })
  })

  it('counts a capture that is on its way beside what was captured by hand', () => {
    const job = reservedJob()
    answers(job, reserved(500))
    captures(job, 'c1', 500)
    answers(job, reserved(1000))
    job.wants('capture', 'c2', { amount: 200 })
    expect(job.wants('capture', 'c3', { amount: 51 })).toMatchObject({ error: { is: 'too-much', rest: 50 } })
    answers(job, reserved(1000))
    expect(job.wants('capture', 'c4', { amount: 51 })).toMatchObject({ error: { is: 'too-much', rest: 50 } })
  })

  it('refunds what was captured alone; before that it says that the money is reserved', () => {
    const job = reservedJob()
    expect(job.refund('r1')).toMatchObject({ error: { is: 'unpaid', isReserved: true } })
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    expect(job.refund('r2', 501)).toMatchObject({ error: { is: 'too-much', rest: 500 } })
    expect(job.refund('r3')).toMatchObject({ ok: true })
    job.answered('r3', DONE)
    answers(job, reserved(500, { refunded: 500 }))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50', refunded: '5.00' })
  })

  it('plays a second part that fails while a refund of the first is under way', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.refund('r1')
    captures(job, 'c2', 300, TAKEN as never)
    job.answered('c2', { is: 'failed', message: 'No.' })
    job.answered('r1', DONE)
    answers(job, reserved(500, { refunded: 500 }))
    expect(job.state.refunds).toMatchObject([{ state: 'done', amount: 500 }])
    expect(job.wants('capture', 'c3')).toMatchObject({ value: [{ amount: 750 }] })
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', refunded: '5.00' })
  })

  it('has no money to capture while nobody has paid, nor where it captures by itself', () => {
    const error = { kind: 'capture', is: 'not-reserved' }
    expect(playedOrder({ capture: 'manual' }).wants('capture', 'c1')).toMatchObject({ error })
    expect(playedJob().wants('release', 'c1')).toMatchObject({ error: { is: 'not-reserved' } })
  })
})

describe('a release', () => {
  it('of all makes the job CANCELLED, once the PSP says that it let go', () => {
    const job = reservedJob()
    expect(job.wants('release', 'r1', {}, ['mollie'])).toMatchObject({ value: [{ amount: AMOUNT }] })
    expect(job.state.captures[0]).not.toHaveProperty('final')
    expect(job.wants('capture', 'c1')).toMatchObject({ error: { is: 'nothing-left' } })
    job.answered('r1', TAKEN)
    expect(job.status()).toBe('PENDING')
    expect(job.wants('release', 'r2')).toEqual({ ok: true, value: [] })
    job.answered('r1', DONE)
    answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
    expect(money(job)).toMatchObject({ status: 'CANCELLED', paid: '0.00', due: '12.50', released: '12.50' })
    expect(job.trace().at(-1)).toBe('Release CANCELLED 0')
    expect(job.owed()).not.toContain('release')
  })

  it('of the rest makes it SUCCESS with what was captured, and nothing due', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    expect(job.wants('release', 'r1')).toMatchObject({ value: [{ amount: 750 }] })
    job.answered('r1', DONE)
    answers(job, seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', due: '0.00', released: '7.50' })
    expect(represent(job.state)).not.toHaveProperty('captureBefore')
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountDue: '0.00' })
  })

  it('that the PSP refused makes it CANCELLED all the same, once the hub has tried again', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    job.answered('r1', REFUSED)
    expect(hubDoes(job, 'h1')).toBe('release')
    job.answered('h1', DONE)
    answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
    expect(job.status()).toBe('CANCELLED')
  })

  it.each([
    ['the shop wanted it', (job: Job) => job.wants('release', 'r1').ok],
    ['the hub wanted it', (job: Job) => hubDoes(job, 'r1')],
  ])('that the PSP refused for good leaves the end to the PSP: %s', (_, wish) => {
    const job = reservedJob()
    wish(job)
    job.answered('r1', REFUSED)
    answers(job, seen('FAILURE', 0, { authorized: AMOUNT, released: AMOUNT }))
    expect(job.status()).toBe('FAILURE')
  })

  it('leaves nothing to capture, and no deadline for that', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    expect(represent(job.state)).not.toHaveProperty('captureBefore')
  })

  it('that the PSP calls done is believed until the PSP, asked since, still holds the money', () => {
    const job = reservedJob()
    answers(job, reserved(500))
    job.wants('release', 'r1')
    job.now += 1000
    job.answered('r1', DONE)
    expect(job.owed()).not.toContain('release')
    expect(job.wants('capture', 'c1')).toMatchObject({ error: { is: 'nothing-left' } })
    job.hears('other', { answer: reserved(500) })
    expect(job.owed()).toContain('release')
    expect(job.wants('capture', 'c1', { amount: 200 })).toMatchObject({ ok: true })
    expect(job.wants('capture', 'c2')).toMatchObject({ value: [{ amount: 550 }] })
  })

  it('is tried by the hub at the deadline, however often the PSP refused to capture', () => {
    const job = reservedJob()
    for (let at = 0; at < 40; at++) {
      job.wants('capture', `c${at}`)
      job.answered(`c${at}`, REFUSED)
    }
    expect(job.due('release')).toBe(NOW + 3 * DAY - job.now)
  })

  it('that the PSP refuses is tried again by the hub, less and less often, and in the end no more', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    job.answered('r1', REFUSED)
    const pauses: number[] = []
    for (let at = 0; at < 50 && job.owed().includes('release'); at++) {
      pauses.push(job.due('release') ?? 0)
      expect(hubDoes(job, `h${at}`)).toBe('release')
      job.answered(`h${at}`, REFUSED)
    }
    expect(pauses.length).toBe(33)
    expect(pauses[0]).toBeLessThan(2 * MINUTE)
    expect(pauses.at(-1)).toBeGreaterThan(DAY / 2)
  })
})

describe('money that is reserved', () => {
  it('is captured at once where the order captures by itself, and the rest of it let go', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved(0, {}, AMOUNT + 100) })
    expect(job.due('capture')).toBe(0)
    expect(represent(job.state)).not.toHaveProperty('captureBefore')
    hubDoes(job, 'h1')
    expect(job.state.captures).toMatchObject([{ kind: 'capture', amount: AMOUNT, final: true, byHub: true }])
    expect(job.state.captures.map(askedAgain)).toMatchObject([{ final: true, byHub: true }])
    expect(job.state.captures[0]?.description).toBe(descriptionOf(job.state, 'capture'))
    expect(job.owed()).not.toContain('capture')
    job.answered('h1', CAPTURED)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT + 100, released: 100 }))
    expect(money(job)).toEqual({ status: 'SUCCESS', paid: '12.50', due: '0.00' })
  })

  it('is captured again by the hub where its capture failed after the order was paid', () => {
    const job = playedJob()
    job.hears('other', { answer: reserved() })
    hubDoes(job, 'h1')
    job.answered('h1', CAPTURED)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    expect(job.owed()).not.toContain('capture')
    job.answered('h1', { is: 'failed', message: 'No.' })
    answers(job, reserved(0))
    expect(hubDoes(job, 'h2')).toBe('capture')
    expect(job.state.captures[1]).toMatchObject({ amount: AMOUNT })
  })

  it('at two accounts is captured at both where the order needs both', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved(0, {}, 500) })
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: reserved(0, {}, 800) })
    for (const [account, amount] of [
      ['mollie', 500],
      ['a', 750],
    ] as const) {
      job.tell({ do: 'instruct', kind: 'capture', ...WHERE, account, id: account })
      expect(job.state.captures.at(-1)).toMatchObject({ account, amount })
    }
  })

  it('is neither captured nor released by the hub where it does not want that, or not yet', () => {
    const job = reservedJob()
    const does = (kind: 'capture' | 'release', where = WHERE) =>
      job.tell({ do: 'instruct', kind, ...where, id: 'h1' }).length
    expect([does('capture'), does('release')]).toEqual([0, 0])
    job.now = NOW + 3 * DAY - 1
    expect(does('release')).toBe(0)
    job.now += 1
    expect([does('capture'), does('release', { ...WHERE, account: 'a' })]).toEqual([0, 0])
    expect([does('release'), does('release')]).toEqual([1, 0])
    expect(job.state.captures[0]).not.toHaveProperty('final')
  })

  it('of an order that captures by itself counts a part that somebody captured as that part', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }) })
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('of an order that captures by itself is waited for no longer than its PSP holds it', () => {
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
  ])('is not given up at the end while the PSP %s: the hub asks on, and ends after days', (_, answer) => {
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
    expect(job.owed()).toContain(answer === REFUSED ? 'release' : 'check-release')
  })

  it('of which a part was captured is paid with that part, though the PSP never lets go of the rest', () => {
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
  ])('%s, also where the hub learns it after that', (_, authorizedAt, kind) => {
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

  it('and was let go at another account is still due where it is held', () => {
    const job = playedOrder({ capture: 'manual' }, ['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved() })
    const gone = seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT })
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: gone })
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('can be captured where another account holds none of it', () => {
    const job = playedOrder({ capture: 'manual' }, ['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: reserved() })
    expect(captures(job, 'c1', 500)).toMatchObject({ value: [{ account: 'mollie', amount: 500 }] })
    answers(job, reserved(500))
    expect(job.trace().at(-1)).toBe('Capture PENDING 500')
  })

  it('is asked for again by plan while an answer is lost, and settled by what the PSP says then', () => {
    const job = reservedJob()
    job.wants('capture', 'c1')
    job.answered('c1', NO_ANSWER)
    expect(job.state.captures).toMatchObject([{ state: 'asking' }])
    job.untilDue('check-capture')
    job.answered('c1', CAPTURED)
    expect(job.state.captures).toMatchObject([{ state: 'done', pspId: 'cpt_1' }])
    expect(job.owed()).not.toContain('check-capture')
    expect(job.owed()).toContain('ask')
  })
})

describe('a capture that was done, and that the PSP counts no more', () => {
  const done = () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    expect(job.owed()).not.toContain('check-capture')
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ paid: '5.00' })
    expect(job.due('check-capture')).toBeLessThanOrEqual(0)
    return job
  }

  it('is checked at once: one that failed is paid no more, and its money can be captured again', () => {
    const job = done()
    job.answered('c1', { is: 'failed', message: 'The bank refused it.' })
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00', due: '12.50' })
    expect(captures(job, 'c2', 1250)).toMatchObject({ ok: true })
  })

  it.each(['duty', 'back', 'other'] as const)('is checked, whatever made the hub ask: %s', (why) => {
    const job = reservedJob()
    job.notified({ moves: [{ id: 'p1', kind: 'part', amount: AMOUNT, reference: 'card' }] })
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.now += MINUTE
    job.hears(why, { answer: reserved(0) })
    expect(job.due('check-capture')).toBeLessThanOrEqual(0)
  })

  it.each(['capture', 'release'] as const)('is checked for no %s that the total has not yet', (kind) => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.wants(kind, 'c2', { amount: 750 })
    if (kind === 'release') job.answered('c2', { ...CAPTURED, reference: null })
    answers(job, reserved(500))
    const checked = job.duties().map((duty) => ('instruction' in duty ? duty.instruction.id : duty.do))
    expect(checked).not.toContain('c1')
  })

  it('and is made up for by a new one counts once the PSP counts that, not before', () => {
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

  it('counts as long as the PSP says that it was made, and is not checked again', () => {
    const job = done()
    job.answered('c1', CAPTURED)
    expect(job.owed()).not.toContain('check-capture')
    expect(money(job)).toMatchObject({ paid: '5.00', due: '7.50' })
  })
})

describe('captures that only notifications tell', () => {
  const move = (
    id: string,
    kind: MoneyMove['kind'],
    amount: number,
    more: Partial<MoneyMove> = {},
  ): MoneyMove => ({
    id,
    kind,
    amount,
    reference: id,
    of: 'card',
    ...more,
  })
  const told = (job: Job, ...moves: MoneyMove[]) => {
    job.now += 1000
    return job.notified({ moves })
  }

  it('count by their moves, in parts, and settle the captures that were asked for', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 })
    job.answered('c1', { is: 'taken', reference: 'A', state: 'pending' })
    told(job, move('A', 'capture', 500))
    expect(job.state.captures).toMatchObject([{ state: 'done' }])
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
    expect(job.owed()).not.toContain('check-capture')
    told(job, move('B', 'capture', 750))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50' })
    expect(job.trace()).toEqual(expect.arrayContaining(['Capture PENDING 500', 'Capture SUCCESS 1250']))
  })

  it('count once, however often they are told', () => {
    const job = reservedJob()
    told(job, move('A', 'capture', 500), move('A', 'capture', 500, { id: 'again' }))
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it.each([
    ['before the hub knows that the money is reserved', { capture: 'manual' } as const, []],
    ['of an order that captures by itself, whose money is reserved', {}, [reserved()]],
  ])('count also %s', (_, order, before) => {
    const job = playedOrder(order)
    for (const answer of before) answers(job, answer)
    told(job, move('A', 'capture', 500))
    answers(job, reserved())
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it('and what was let go since come to what was reserved: nothing of it went back', () => {
    const job = reservedJob()
    told(job, move('A', 'capture', 500))
    told(job, move('X', 'refund', AMOUNT, { cancelled: true }))
    expect(money(job)).toMatchObject({
      status: 'SUCCESS',
      paid: '5.00',
      released: '7.50',
      refunded: undefined,
    })
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: '7.50' })
  })

  it('let go of the rest only once one that is final was made', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 })
    job.wants('capture', 'c2', { amount: 300, final: true })
    told(job, move('A', 'capture', 500, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', released: undefined })
    told(job, move('B', 'capture', 300, { instruction: 'c2' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '8.00', released: '4.50' })
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: '4.50' })
  })

  it('and what is let go of meanwhile have a step each; news of nothing has none', () => {
    const job = reservedJob()
    told(job, move('P', 'part', AMOUNT))
    told(job, move('X', 'refund', 200, { cancelled: true }))
    expect(job.trace().slice(2)).toEqual(['Release PENDING 0'])
    const fresh = playedJob()
    fresh.notified()
    expect(fresh.trace()).toEqual(['Start PENDING 0'])
  })

  it('that are final let go of the rest without a word', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 }, ['mollie'])
    told(job, move('A', 'capture', 500, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', released: '7.50', due: '0.00' })
  })

  it('that fail after all take their money out again; a later one counts', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const steps = [
      [move('P', 'part', AMOUNT), undefined],
      [move('A', 'capture-failed', 500), '5.00'],
      [move('A', 'capture', 500, { id: 'late' }), '5.00'],
      [move('B', 'capture', 500), undefined],
      [move('B', 'capture-failed', 500, { id: 'again' }), '5.00'],
      [move('A', 'capture', 500, { id: 'last' }), '5.00'],
    ] as const
    for (const [one, refunded] of steps) {
      told(job, one)
      expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50' })
      expect(money(job).refunded).toBe(refunded)
    }
    expect(represent(job.state)).not.toHaveProperty('amountChargedBack')
  })

  it('that fail are made up for by none of another payment of the order', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const gift = { of: 'gift' }
    told(job, move('gift', 'part', 500), move('card', 'part', 750))
    told(job, move('A', 'capture-failed', 500, gift), move('B', 'capture', 750))
    expect(money(job)).toMatchObject({ paid: '12.50', refunded: '5.00' })
    told(job, move('C', 'capture', 500, gift))
    expect(money(job)).toMatchObject({ paid: '12.50', refunded: undefined })
  })

  it('that were made and failed in one notification take their money out again', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    told(job, move('A', 'capture', AMOUNT), move('A', 'capture-failed', AMOUNT, { id: 'A!' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: '12.50' })
  })

  it('of a PSP that captures by itself, once cancelled, are made up for by no money reserved elsewhere', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: seen('SUCCESS') })
    told(job, move('X', 'refund', AMOUNT, { cancelled: true }))
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: reserved() })
    expect(job.state.payments).toMatchObject([{ lost: AMOUNT }, { authorized: AMOUNT }])
    expect(job.due('release')).toBe(0)
    expect(job.owed()).not.toContain('capture')
  })

  it('of a payment that its PSP captures by itself are no news', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const before = job.state.payments[0]?.moves
    told(job, move('A', 'capture', AMOUNT))
    expect(job.state.payments[0]?.moves).toEqual(before)
  })

  it.each([
    ['of the shop, is CANCELLED', 'release', 'CANCELLED'],
    ['of the PSP, is EXPIRED', null, 'EXPIRED'],
  ] as const)('that all was let go, by the wish %s', (_, kind, status) => {
    const job = reservedJob()
    if (kind) job.wants(kind, 'r1')
    told(job, move('X', 'refund', AMOUNT, { cancelled: true, ...(kind ? { instruction: 'r1' } : {}) }))
    expect(money(job)).toMatchObject({ status, paid: '0.00', released: '12.50', refunded: undefined })
    answers(job, reserved(0))
    expect(job.owed()).not.toContain('release')
  })

  it('that a release was refused fails it, and the hub tries again', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    job.answered('r1', { is: 'taken', reference: 'X', state: 'pending' })
    told(job, move('X', 'release-failed', 0, { error: 'No.' }))
    expect(job.state.captures).toMatchObject([{ state: 'failed', error: 'No.' }])
    expect(job.owed()).toContain('release')
  })

  it('that the last capture failed of an order that was paid shows it as money that went back', () => {
    const job = reservedJob()
    job.wants('capture', 'c1')
    told(job, move('A', 'capture', AMOUNT, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS' })
    told(job, move('A', 'capture-failed', AMOUNT, { id: 'A!', error: 'No.' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: '12.50' })
    expect(job.refund('r1')).toMatchObject({ error: { is: 'nothing-left' } })
    expect(job.wants('capture', 'c2')).toMatchObject({ value: [{ amount: AMOUNT }] })
    told(job, move('B', 'capture', AMOUNT, { instruction: 'c2' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: undefined })
  })
})

it('of an old journal is refunded as ever: what 1.0 wrote of refunds is read as instructions', () => {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS') })
  const asked = { fingerprint: 'f', call: 'c', amount: 500, description: '', ...WHERE }
  job.append([{ is: 'refund-asked', refund: 'r1', ...asked }])
  job.append([
    { is: 'refund-answered', refund: 'r1', asked: job.now, outcome: { is: 'done', reference: 're_1' } },
  ])
  expect(job.state.refunds).toMatchObject([{ kind: 'refund', id: 'r1', state: 'done', pspId: 're_1' }])
})

it('a capture of which a PSP never says what became of it does not hold money for ever', () => {
  const job = reservedJob()
  job.wants('capture', 'c1')
  job.answered('c1', NO_ANSWER)
  expect(job.due('release')).toBe(NOW + 3 * DAY - job.now)
  expect(hubDoes(job, 'h1')).toBe('release')
  expect(job.state.captures.at(-1)).toMatchObject({ kind: 'release', amount: AMOUNT })
  expect(job.owed()).not.toContain('release')
  job.answered('h1', DONE)
  answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
  expect(job.status()).toBe('EXPIRED')
})

it('a capture that is asked for just before the deadline has a day to be answered', () => {
  const job = reservedJob()
  job.wants('capture', 'c0', { amount: 500 })
  job.now = NOW + 3 * DAY - MINUTE
  job.wants('capture', 'c1')
  expect(job.due('release')).toBe(DAY)
})

it('a capture that the PSP counts, and has not confirmed yet, leaves nothing to release', () => {
  const job = reservedJob()
  captures(job, 'c1', null, TAKEN as never)
  answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
  expect(job.due('release')).toBeNull()
})

it('money of an unsure capture that the PSP does not let go of is released less and less often, and in the end no more', () => {
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
  job.untilDue('check-capture')
  job.answered('h1', { is: 'failed', message: 'No.' })
  expect(job.owed()).toContain('capture')
})
