import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { capturesOf, represent, representCapture } from '../../../src/job/core/show.ts'
import { untilOf } from '../../../src/job/core/state.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NOW,
  NO_ANSWER,
  TAKEN,
  WHERE,
  playedJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { CAPTURED, REFUSED, money, captures, answers, hubDoes } from '../../support/jobs/reserved-job.ts'
import { mostOf } from '../../../src/job/core/money.ts'
import { OF_RESERVED, ofKind } from '../../../src/job/core/payment.ts'

describe('an order that its point of sale captures manually', () => {
  it('is PENDING once its money is reserved, shows the money, and is reported', () => {
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

  it('has a step for a refund of a captured part, and none for one more question', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    for (const refunded of [0, 200, 200]) answers(job, reserved(500, { refunded }))
    expect(job.trace().slice(-2)).toEqual(['Capture PENDING 500', 'Refund PENDING 500'])
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({
      stage: 'authorized',
      amountRefunded: '2.00',
    })
  })

  it('captures no more than is reserved, even if several captures come at once', () => {
    const job = reservedJob()
    expect(job.wants('capture', 'c0', { amount: AMOUNT + 1 })).toMatchObject({
      error: { kind: 'capture', is: 'too-much', rest: AMOUNT },
    })
    const taken = ['c1', 'c2', 'c3'].map((id) => job.wants('capture', id, { amount: 500 }).ok)
    expect(taken).toEqual([true, true, false])
    expect(job.wants('capture', 'rest')).toMatchObject({ ok: true })
    expect(ofKind(job.state, ...OF_RESERVED).map(({ amount }) => amount)).toEqual([500, 500, 250])
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

  it('can be captured in parts if the PSP says so for the payment', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, reserved(0, { inParts: true }))
    expect(job.wants('capture', 'c1', { amount: 500 }, ['mollie'])).toMatchObject({ ok: true })
    expect(job.wants('capture', 'c2', { amount: 500 }, ['mollie'])).toMatchObject({ ok: true })
    expect(ofKind(job.state, ...OF_RESERVED).map(({ final }) => final)).toEqual([undefined, undefined])
  })

  it('returns the same capture under the same id, and refuses another under it', () => {
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

  it('is captured up to its amount if more is reserved; a release lets go of everything', () => {
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
    expect(ofKind(late.state, ...OF_RESERVED)).toMatchObject([{ amount: AMOUNT + 100 }])
  })

  it('waits for the rest if a part of it was paid, and nothing is reserved', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, seen('SUCCESS', 500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
  })

  it('can be captured as long as it waits if the PSP names no deadline, but not for ever', () => {
    const { captureBefore: _, ...without } = reserved()
    const job = playedOrder({ capture: 'manual' })
    job.hears('other', { answer: without })
    expect(represent(job.state)).toMatchObject({ captureBefore: '2026-02-07T10:00:00.000000Z' })
    expect(job.due('release')).toBe(7 * DAY)
    captures(job, 'c1', null)
    answers(job, seen('SUCCESS', AMOUNT, { authorized: AMOUNT }))
    job.answered('c1', { is: 'failed', message: 'No.' })
    answers(job, without)
    expect(job.due('release')).toBeGreaterThan(6 * DAY)
  })

  it('has a step for each part that is released at the PSP, and none for the same answer again', () => {
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

  it('has one step for a customer who comes back after a refund of what was captured', () => {
    const job = reservedJob()
    const refunded = reserved(500, { refunded: 200 })
    for (const answer of [reserved(500), refunded]) answers(job, answer)
    for (let times = 0; times < 2; times++) job.hears('back', { answer: refunded })
    expect(job.trace().slice(2)).toEqual(['Capture PENDING 500', 'Refund PENDING 500', 'Return PENDING 500'])
  })

  it('shows how much is reserved, even if that grows', () => {
    const job = reservedJob()
    answers(job, reserved(0, {}, AMOUNT + 100))
    expect(money(job)).toMatchObject({ authorized: '13.50' })
  })

  it.each([
    [seen('SUCCESS', 500), { status: 'SUCCESS', paid: '5.00', due: '0.00', released: '7.50' }],
    [seen('CANCELLED'), { status: 'CANCELLED', paid: '0.00', due: '12.50', released: '12.50' }],
  ])('has nothing reserved once its PSP calls it over, even without a total', (answer, shown) => {
    const job = reservedJob()
    answers(job, answer)
    expect(money(job)).toMatchObject(shown)
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: shown.released })
    expect(job.owed()).not.toContain('release')
  })

  it('waits for a capture until the deadline, and for a rest as long as the customer may pay', () => {
    expect(untilOf(reservedJob().state)).toBe(NOW + 3 * DAY)
    const job = playedOrder({ capture: 'manual' })
    answers(job, seen('SUCCESS', 500, { captureBefore: NOW + 3 * DAY }))
    expect(untilOf(job.state)).toBe(NOW + DAY + MINUTE)
  })

  it('keeps the deadline that the PSP named if a later answer names none', () => {
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

  it('captures again as much as failed, and once, after it was paid, although more is reserved', () => {
    const job = playedOrder({ capture: 'manual' })
    answers(job, reserved(0, {}, 2 * AMOUNT))
    for (const [id, amount] of [
      ['c1', 500],
      ['c2', 750],
    ] as const)
      captures(job, id, amount)
    answers(job, reserved(AMOUNT, {}, 2 * AMOUNT))
    expect(job.status()).toBe('SUCCESS')
    job.answered('c1', { is: 'failed', message: 'No.' })
    answers(job, reserved(750, {}, 2 * AMOUNT))
    expect(job.wants('capture', 'c3', { amount: 501 })).toMatchObject({
      error: { is: 'too-much', rest: 500 },
    })
    expect(job.wants('capture', 'c4')).toMatchObject({ value: [{ amount: 500 }] })
    expect(job.wants('capture', 'c5')).toMatchObject({ error: { is: 'nothing-left' } })
  })

  it('can have a hundred captures at most', () => {
    const job = reservedJob()
    for (let at = 0; at < 100; at++) job.wants('capture', `c${at}`, { amount: 1 })
    expect(job.wants('capture', 'more', { amount: 1 })).toMatchObject({ error: { is: 'too-many' } })
  })

  it('shows which capture failed and why, and can be captured again', () => {
    const job = reservedJob()
    const { revision } = job.state
    captures(job, 'c0', 500, REFUSED as never)
    captures(job, 'c1', 500, TAKEN as never)
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'failed' }, { state: 'pending' }])
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

  it('no longer counts a capture that fails after it was counted, while the order waits for more', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.answered('c1', { is: 'failed', message: 'The card is lost.' })
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '0.00', due: '12.50' })
    expect(job.wants('capture', 'c2')).toMatchObject({ ok: true })
    expect(ofKind(job.state, ...OF_RESERVED).at(-1)?.amount).toBe(AMOUNT)
  })

  it('keeps the amount of a done capture if an answer lags behind', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it('counts what was captured by hand at the PSP, and does not request that again', () => {
    const job = reservedJob()
    answers(job, reserved(500))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00' })
    expect(job.wants('capture', 'c1')).toMatchObject({ value: [{ amount: 750 }] })
  })

  it('counts a capture on its way in addition to what was captured by hand', () => {
    const job = reservedJob()
    answers(job, reserved(500))
    captures(job, 'c1', 500)
    answers(job, reserved(1000))
    job.wants('capture', 'c2', { amount: 200 })
    expect(job.wants('capture', 'c3', { amount: 51 })).toMatchObject({ error: { is: 'too-much', rest: 50 } })
    answers(job, reserved(1000))
    expect(job.wants('capture', 'c4', { amount: 51 })).toMatchObject({ error: { is: 'too-much', rest: 50 } })
  })

  it('refunds only what was captured; before that it says that the money is reserved', () => {
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

  it('handles a second part that fails while a refund of the first is under way', () => {
    const job = reservedJob()
    captures(job, 'c1', 500)
    answers(job, reserved(500))
    job.refund('r1')
    captures(job, 'c2', 300, TAKEN as never)
    job.answered('c2', { is: 'failed', message: 'No.' })
    job.answered('r1', DONE)
    answers(job, reserved(500, { refunded: 500 }))
    expect(ofKind(job.state, 'refund')).toMatchObject([{ state: 'done', amount: 500 }])
    expect(job.wants('capture', 'c3')).toMatchObject({ value: [{ amount: 750 }] })
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', refunded: '5.00' })
  })

  it('has no money to capture before a payment, nor if the PSP captures automatically', () => {
    const error = { kind: 'capture', is: 'not-reserved' }
    expect(playedOrder({ capture: 'manual' }).wants('capture', 'c1')).toMatchObject({ error })
    expect(playedJob().wants('release', 'c1')).toMatchObject({ error: { is: 'not-reserved' } })
  })
})

describe('a release', () => {
  it('of everything makes the job CANCELLED, once the PSP says that it let go', () => {
    const job = reservedJob()
    expect(job.wants('release', 'r1', {}, ['mollie'])).toMatchObject({ value: [{ amount: AMOUNT }] })
    expect(ofKind(job.state, ...OF_RESERVED)[0]).not.toHaveProperty('final')
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

  it('of the rest makes the job SUCCESS with what was captured, and nothing due', () => {
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

  it('that the PSP refused still makes the job CANCELLED, once the hub has tried again', () => {
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

  it.each(['taken', 'never answered'])('that was %s is repeated for a shop that asks a day later', (how) => {
    const job = reservedJob()
    job.wants('release', 'r1')
    job.answered('r1', how === 'taken' ? TAKEN : NO_ANSWER)
    job.now += DAY - 1
    expect(job.wants('release', 'r2')).toEqual({ ok: true, value: [] })
    job.now += 1
    expect(job.wants('release', 'r3')).toMatchObject({ value: [{ is: 'instructed', id: 'r1' }] })
    expect(job.wants('release', 'r4')).toEqual({ ok: true, value: [] })
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ id: 'r1', round: 2, state: 'asking' }])
    job.answered('r1', DONE)
    answers(job, seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
    expect(job.status()).toBe('CANCELLED')
  })

  it('of what the last capture left is tried by the hub a day later, if the PSP still holds it', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500, final: true })
    job.answered('c1', CAPTURED)
    job.now += 1000
    answers(job, reserved(500))
    expect(job.due('release')).toBe(DAY - 2000)
    expect(hubDoes(job, 'h1')).toBe('release')
    job.answered('h1', DONE)
    answers(job, seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', released: '7.50' })
  })

  it('leaves nothing to capture, and no deadline', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    expect(represent(job.state)).not.toHaveProperty('captureBefore')
  })

  it('that the PSP calls done counts until a later answer shows that the PSP still holds the money', () => {
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

it('an old journal is refunded as ever: the hub reads what 1.0 wrote about refunds as instructions', () => {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS') })
  const request = { fingerprint: 'f', call: 'c', amount: 500, description: '', ...WHERE }
  job.append([{ is: 'refund-asked', refund: 'r1', ...request }])
  job.append([
    { is: 'refund-answered', refund: 'r1', asked: job.now, outcome: { is: 'done', reference: 're_1' } },
  ])
  expect(ofKind(job.state, 'refund')).toMatchObject([
    { kind: 'refund', id: 'r1', state: 'done', pspId: 're_1' },
  ])
})
