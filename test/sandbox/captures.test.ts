import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Act } from '../../src/psp/port.ts'
import { patience, paymentRequestOf } from '../psp/scripted.ts'
import { act, choose, get, make, objectOf, sandbox } from './client.ts'

const DAY = 86_400_000
const START = Math.ceil(Date.now() / 1000) * 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})

function wantedOf(amount: number, isFinal = false) {
  return { id: crypto.randomUUID(), amount, currency: 'EUR', description: 'A shirt', round: 1, isFinal }
}
type Wanted = ReturnType<typeof wantedOf>

/** A payment of 12.50 that the sandbox has reserved, as the hub sees it. */
async function reserved(description = 'A-7') {
  const { id } = await make({ capture: 'manual', description })
  await choose(id, 'paid')
  const payment = { job: 'j', reference: id, payment: null }
  const at = (asked: Act) => (wanted: Wanted) => asked(payment, wanted)
  return {
    id,
    capture: at(sandbox.capture),
    release: at(sandbox.release),
    refund: at(sandbox.refund),
    ask: () => sandbox.ask(id, 'EUR'),
    /** The captures that the payment lists. */
    captures: async () => {
      const seen = await sandbox.ask(id, 'EUR')
      return seen.is === 'observed' ? seen.transfers?.capture : null
    },
  }
}

const LEDGER = { authorized: 1250, authorizedAt: START, captureBefore: START + 7 * DAY }
const DONE = { is: 'taken', state: 'done' }

describe('an order with manual capture', () => {
  it.each([
    ['manual', 'PENDING', 0],
    ['automatic', 'SUCCESS', 1250],
  ] as const)('is announced like this: %s', async (capture, status, paid) => {
    const request = paymentRequestOf(crypto.randomUUID(), { capture })
    const answer = await sandbox.announce(request, patience)
    if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
    await choose(answer.reference, 'paid')
    expect(await sandbox.ask(answer.reference, 'EUR')).toMatchObject({ status, paid })
  })

  it('is reserved when it is paid, for seven days', async () => {
    const { ask } = await reserved()
    expect(await ask()).toMatchObject({
      ...{ status: 'PENDING', paid: 0, released: 0, ...LEDGER },
      stage: { is: 'authorized' },
    })
  })

  it.each([
    ['underway', 'arrive'],
    ['cancel', 'pay-late'],
  ])('is also reserved after %s and %s', async (...actions) => {
    const { id } = await make({ capture: 'manual' })
    for (const action of actions) await act(id, action)
    expect(await sandbox.ask(id, 'EUR')).toMatchObject({ status: 'PENDING', paid: 0, ...LEDGER })
  })

  it('that arrives by itself is reserved from then on', async () => {
    const { id } = await make({ capture: 'manual' })
    await act(id, 'underway', { after: 60 })
    vi.setSystemTime(START + 90_000)
    expect(await sandbox.ask(id, 'EUR')).toMatchObject({ status: 'PENDING', authorizedAt: START + 60_000 })
  })
})

describe('a capture', () => {
  it.each([
    [[1250], 'SUCCESS', 1250, 0],
    [[500], 'PENDING', 500, 0],
    [[500, 750], 'SUCCESS', 1250, 0],
  ] as const)('of %j is %s', async (amounts, status, paid, released) => {
    const { capture, ask } = await reserved()
    for (const amount of amounts) expect(await capture(wantedOf(amount))).toMatchObject(DONE)
    expect(await ask()).toMatchObject({
      status,
      paid,
      released,
      chargedBack: 0,
      transfers: { refund: [] },
      ...LEDGER,
    })
  })

  it('that is final releases the rest', async () => {
    const { id, capture, ask } = await reserved()
    expect(await capture(wantedOf(500, true))).toMatchObject(DONE)
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 500, released: 750, ...LEDGER })
    expect(await get(id)).toMatchObject({ status: 'paid', amountCaptured: { value: '5.00' } })
  })

  it.each([1251, 0])('of %d cents is refused, and not listed', async (amount) => {
    const { capture, captures, ask } = await reserved()
    expect(await capture(wantedOf(amount))).toMatchObject({ is: 'refused' })
    expect(await captures()).toEqual([])
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 0 })
  })

  it('is made once, although it is requested three times, and listed by both ids', async () => {
    const { capture, captures, ask } = await reserved()
    for (const amount of [500, 1250 - 500]) {
      const wanted = wantedOf(amount)
      const answers = await Promise.all([1, 2, 3].map(async () => capture(wanted)))
      const [first] = answers
      expect(answers).toEqual([first, first, first])
      const id = first?.is === 'taken' ? first.reference : null
      expect((await captures())?.at(-1)).toEqual({ id, own: wanted.id, amount, state: 'done' })
    }
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('is refused after the release, after the end, and for a payment that is not reserved', async () => {
    const [released, expired] = [await reserved(), await reserved()]
    const paid = await make()
    await choose(paid.id, 'paid')
    await released.release(wantedOf(1250))
    vi.setSystemTime(START + 7 * DAY)
    for (const { capture } of [released, expired])
      expect(await capture(wantedOf(500))).toMatchObject({ is: 'refused' })
    for (const reference of [paid.id, 'tr_00000000000000000000', 'nonsense'])
      expect(await sandbox.capture({ job: 'j', reference, payment: null }, wantedOf(500))).toMatchObject({
        is: 'refused',
      })
  })

  it('fails if the order asks for that, and its money can be released', async () => {
    const { capture, captures, release, ask } = await reserved('A-7 sandbox-capture-fails')
    const wanted = wantedOf(500)
    expect(await capture(wanted)).toMatchObject({
      is: 'failed',
      message: expect.stringMatching(/\w{3}/),
    })
    expect(await captures()).toMatchObject([{ own: wanted.id, state: 'failed' }])
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 0, released: 0, ...LEDGER })
    await release(wantedOf(1250))
    expect(await ask()).toMatchObject({ status: 'CANCELLED' })
  })

  it('is made but its answer lost if the order asks for that', async () => {
    const { capture, captures, ask } = await reserved('A-7 sandbox-capture-lost')
    const wanted = wantedOf(500)
    expect(await capture(wanted)).toMatchObject({ is: 'unavailable' })
    expect(await ask()).toMatchObject({ paid: 500 })
    expect(await captures()).toMatchObject([{ own: wanted.id, state: 'done' }])
    expect(await capture(wantedOf(1250))).toMatchObject({ is: 'refused' })
  })

  it('that fails after all returns its money to what is held, even after the rest was released', async () => {
    const { id, capture, captures, ask } = await reserved()
    const [first, last] = [wantedOf(300), wantedOf(500, true)]
    await capture(first)
    await capture(last)
    await act(id, 'fail-capture')
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 300, authorized: 1250, released: 450 })
    expect(await captures()).toMatchObject([
      { own: first.id, state: 'done' },
      { own: last.id, state: 'failed' },
    ])
    expect(await capture(wantedOf(501))).toMatchObject({ is: 'refused' })
    await capture(wantedOf(500))
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 800, released: 450 })
  })

  it('by hand counts as a part', async () => {
    const { id, ask } = await reserved()
    await act(id, 'capture', { amount: '5.00' })
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 500, ...LEDGER })
  })

  it('of a part can be refunded and charged back, but no more than that', async () => {
    const { id, capture, refund, ask } = await reserved()
    expect(await refund(wantedOf(100))).toMatchObject({ is: 'refused' })
    await capture(wantedOf(500))
    expect(await refund(wantedOf(501))).toMatchObject({ is: 'refused' })
    expect(await refund(wantedOf(200))).toMatchObject({ is: 'taken' })
    await act(id, 'chargeback', { amount: '1.00' })
    expect(await ask()).toMatchObject({
      ...{ status: 'PENDING', paid: 500, chargedBack: 100 },
      transfers: { refund: [{ amount: 200, state: 'pending' }] },
    })
    expect(await get(id)).toMatchObject({ amountRemaining: { value: '2.00' } })
  })
})

describe('a release', () => {
  it('of everything cancels the payment', async () => {
    const { id, release, ask } = await reserved()
    const wanted = wantedOf(1250)
    expect(await release(wanted)).toMatchObject(DONE)
    expect(await release(wanted)).toMatchObject(DONE)
    const end = { status: 'CANCELLED', closed: true, paid: 0, released: 1250, ...LEDGER }
    expect(await ask()).toMatchObject(end)
    expect(await get(id)).toMatchObject({ status: 'canceled' })
  })

  it('of the rest leaves what was captured', async () => {
    const { capture, release, ask } = await reserved()
    await capture(wantedOf(500))
    await release(wantedOf(750))
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 500, released: 750, ...LEDGER })
  })

  it('is refused if the order asks for that, and the money is held until its time is over', async () => {
    const { release, ask } = await reserved('sandbox-release-fails')
    expect(await release(wantedOf(1250))).toMatchObject({ is: 'refused' })
    expect(await ask()).toMatchObject({ status: 'PENDING', released: 0 })
    vi.setSystemTime(START + 7 * DAY)
  })

  it('is refused for a payment that is unpaid or unknown', async () => {
    const { id } = await make({ capture: 'manual' })
    for (const reference of [id, 'tr_00000000000000000000'])
      expect(await sandbox.release({ job: 'j', reference, payment: null }, wantedOf(1250))).toMatchObject({
        is: 'refused',
      })
  })
})

describe('the end of a reservation', () => {
  it.each([
    [0, 'EXPIRED', 1250],
    [500, 'SUCCESS', 750],
  ])('after %d was captured is %s', async (captured, status, released) => {
    const { capture, ask } = await reserved()
    if (captured > 0) await capture(wantedOf(captured))
    vi.setSystemTime(START + 7 * DAY - 1)
    expect(await ask()).toMatchObject({ status: 'PENDING', released: 0 })
    vi.setSystemTime(START + 7 * DAY)
    expect(await ask()).toMatchObject({ status, paid: captured, released, ...LEDGER })
  })

  it("comes by the job's own clock, and the sandbox notifies the hub then", async () => {
    const { id, ask } = await reserved()
    const object = objectOf(id)
    const soon = { offset: 7 * DAY - 1000, moved: START }
    expect(await object.moveTo(soon)).toBeLessThanOrEqual(START + 7 * DAY)
    expect(await ask()).toMatchObject({ status: 'PENDING' })
    const over = { offset: 7 * DAY, moved: START }
    await object.moveTo(over)
    expect(await ask()).toMatchObject({ status: 'EXPIRED' })
  })
})
