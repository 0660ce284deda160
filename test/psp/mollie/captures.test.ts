import { describe, expect, it, vi } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { type CAPTURE_STATUSES, RESERVES } from '../../../src/psp/mollie/tables.ts'
import type { MadePayment } from '../../../src/psp/port.ts'
import { mollieFake } from '../../support/psps/mollie.ts'
import { UNANSWERED, type Answers, closedConnection, json, patience, paymentRequestOf } from '../scripted.ts'
import { atMollie, mollieError, payment } from './samples.ts'

const DAY = 86_400_000
const ID = 'tr_7UhSN1zuXS'
const PAYMENT = { job: 'j', reference: ID, payment: null }
const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

function eur(value: string) {
  return { currency: 'EUR', value }
}

/** An instruction, whose id has the form of the hub's derived ids. */
function wantedOf(amount: number, isFinal = false) {
  const id = crypto.randomUUID().replace(/^(.{14})4/, '$18')
  return { id, amount, currency: 'EUR', description: 'Order A-7', round: 1, isFinal }
}

/**
 * The adapter at Mollie's double. `faults`: how the next request with that end of its path fails, after
 * Mollie has done it (`lost`) or before (`down`).
 */
function world() {
  const fake = mollieFake()
  const requests: Request[] = []
  const faults = new Map<string, 'lost' | 'down'>()
  const endOf = ({ url }: Request) => url.slice(url.lastIndexOf('/') + 1)
  const psp = mollie.open({
    mode: 'live',
    credentials: fake.accounts[0],
    async fetch(request) {
      requests.push(request.clone() as Request)
      const fault = faults.get(endOf(request))
      faults.delete(endOf(request))
      const answer = fault === 'down' ? null : await fake.handle(request)
      return answer === null || fault === 'lost' ? new Response('', { status: 502 }) : answer
    },
  })
  const posts = () => requests.filter(({ method }) => method === 'POST').map(endOf)
  return { fake, psp, requests, faults, posts }
}

/** A payment of 12.50 that Mollie holds. */
async function reserved() {
  const at = world()
  const order = paymentRequestOf('j', { paymentMethod: 'creditcard', capture: 'manual' })
  const answer = await at.psp.announce(order, patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  at.fake.bring('j', 'paid')
  const made: MadePayment = { job: 'j', reference: answer.reference, payment: null }
  const { capture, release } = at.psp
  const ask = () => at.psp.ask(made.reference, 'EUR')
  return { ...at, made, capture, release, ask }
}

describe('a reservation', () => {
  it.each([...RESERVES.days.keys()])(
    'by %s is expected to be held by Mollie for days',
    async (paymentMethod) => {
      const { psp, fake } = world()
      expect(
        await psp.announce(paymentRequestOf('j', { paymentMethod, capture: 'manual' }), patience),
      ).toMatchObject({ is: 'announced' })
      fake.bring('j', 'paid')
      expect(fake.payments[0]?.status).toBe('authorized')
    },
  )
})

describe('a capture', () => {
  const MEANS: Record<keyof typeof CAPTURE_STATUSES, object> = {
    pending: { is: 'taken', reference: 'cpt_1', state: 'pending' },
    succeeded: { is: 'taken', reference: 'cpt_1', state: 'done' },
    failed: { is: 'failed', message: 'Mollie says that the capture is failed.' },
  }
  const captureOf = (status: string, id: string) => ({ id: 'cpt_1', status, metadata: { capture: id } })

  it.each(Object.keys(MEANS) as (keyof typeof MEANS)[])('that is %s', async (status) => {
    const wanted = wantedOf(500)
    const { psp } = atMollie(json(201, captureOf(status, wanted.id)))
    expect(await psp.capture(PAYMENT, wanted)).toEqual(MEANS[status])
  })

  it('with an unknown status is neither accepted nor failed', async () => {
    const { psp } = atMollie(json(201, captureOf('odd', 'x')))
    expect(await psp.capture(PAYMENT, wantedOf(500))).toMatchObject({
      is: 'unavailable',
      message: expect.stringContaining('"odd"'),
    })
  })

  it('has its own key, in the form that Mollie requires, and its id in the metadata', async () => {
    const { capture, made, requests } = await reserved()
    const [first, second] = [wantedOf(500), wantedOf(500)]
    await capture(made, first)
    await capture(made, second)
    const sent = requests.slice(1)
    const keys = sent.map(({ headers }) => headers.get('idempotency-key') ?? '')
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(UUID_V4)
    expect(await sent[0]?.json()).toEqual({
      amount: eur('5.00'),
      description: first.description,
      metadata: { capture: first.id },
    })
    expect(await sent[1]?.json()).toHaveProperty('metadata', { capture: second.id })
  })

  it('that is final releases the rest, once', async () => {
    const { capture, made, ask, posts, requests } = await reserved()
    expect(await capture(made, wantedOf(500, true))).toMatchObject({ is: 'taken', state: 'done' })
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 500, authorized: 1250, released: 750 })
    expect(posts()).toEqual(['payments', 'captures', 'release-authorization'])
    const keys = requests.flatMap(({ headers }) => headers.get('idempotency-key') ?? []).slice(1)
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(UUID_V4)
  })

  it('that is final and of everything is done, although nothing is left to release', async () => {
    const { capture, made, ask } = await reserved()
    expect(await capture(made, wantedOf(1250, true))).toMatchObject({ is: 'taken', state: 'done' })
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1250, released: 0 })
  })

  it('that is final releases nothing before Mollie has made it', async () => {
    const { capture, made, ask, fake, posts } = await reserved()
    fake.manner.captures = 'pending'
    const wanted = wantedOf(500, true)
    await capture(made, wanted)
    expect(posts()).toEqual(['payments', 'captures'])
    const listed = { own: wanted.id, amount: 500, state: 'pending' }
    expect(await ask()).toMatchObject({ paid: 0, released: 0, transfers: { capture: [listed] } })
    fake.endCaptures('j', 'succeeded')
    expect(await ask()).toMatchObject({ paid: 500, released: 0, transfers: { capture: [{ state: 'done' }] } })
  })

  it.each(['lost', 'down'] as const)('that is final is done, although its release is %s', async (fault) => {
    const { capture, made, faults } = await reserved()
    faults.set('release-authorization', fault)
    expect(await capture(made, wantedOf(500, true))).toMatchObject({ is: 'taken', state: 'done' })
  })

  it("of more than is held is refused in Mollie's words", async () => {
    const { capture, made, ask } = await reserved()
    expect(await capture(made, wantedOf(1251))).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('higher than the remaining authorized amount (amount)'),
    })
    await capture(made, wantedOf(500))
    expect(await capture(made, wantedOf(751))).toMatchObject({ is: 'refused' })
    expect(await ask()).toMatchObject({ paid: 500, released: 0 })
  })

  it('that is requested twice is made once', async () => {
    const { capture, made, ask } = await reserved()
    const wanted = wantedOf(500)
    expect((await capture(made, wanted)).is).toBe('taken')
    expect((await capture(made, wanted)).is).toBe('taken')
    expect(await ask()).toMatchObject({ paid: 500 })
  })

  it('whose answer is lost is listed by its id, and one that Mollie never got is not', async () => {
    const { capture, made, ask, faults } = await reserved()
    const [lost, never] = [wantedOf(500), wantedOf(100)]
    faults.set('captures', 'lost')
    expect(await capture(made, lost)).toMatchObject(UNANSWERED)
    faults.set('captures', 'down')
    expect(await capture(made, never)).toMatchObject(UNANSWERED)
    const capture1 = { id: expect.stringMatching(/^cpt_/), own: lost.id, amount: 500, state: 'done' }
    expect(await ask()).toMatchObject({ paid: 500, transfers: { capture: [capture1] } })
  })

  it.each<[string, object, object[] | undefined]>([
    ['the hub captured what Mollie held unasked', { metadata: { capture: 'b1e5' } }, [{ own: 'b1e5' }]],
    ['Mollie captured by itself', {}, undefined],
  ])('is listed of an order without manual capture only if %s', async (_, changes, listed) => {
    const captures = [{ id: 'cpt_1', amount: eur('12.50'), status: 'succeeded', ...changes }]
    const paid = payment({ status: 'paid', amountCaptured: eur('12.50'), _embedded: { captures } })
    const seen = await atMollie(json(200, paid)).psp.ask(ID, 'EUR')
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect('transfers' in seen ? seen.transfers?.capture : undefined).toEqual(
      listed && [{ id: 'cpt_1', amount: 1250, state: 'done', ...listed[0] }],
    )
  })

  it('whose answer was lost is missing from the list of a reservation that has ended', async () => {
    const ended = payment({ status: 'canceled', captureMode: 'manual', _embedded: { captures: [] } })
    expect(await atMollie(json(200, ended)).psp.ask(ID, 'EUR')).toMatchObject({ transfers: { capture: [] } })
  })

  it('that fails, even after it had succeeded, returns its money to what is held', async () => {
    const { capture, made, ask, fake } = await reserved()
    await capture(made, wantedOf(1250))
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    fake.endCaptures('j', 'failed')
    const failed = { state: 'failed', why: 'Mollie says that the capture is failed.' }
    expect(await ask()).toMatchObject({
      ...{ status: 'PENDING', paid: 0, authorized: 1250, released: 0 },
      transfers: { capture: [failed] },
    })
  })

  it('is refused after a release, and after the end', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const [released, expired] = [await reserved(), await reserved()]
    await released.release(released.made, wantedOf(1250))
    vi.setSystemTime(Date.now() + 7 * DAY)
    for (const { capture, made } of [released, expired])
      expect(await capture(made, wantedOf(500))).toMatchObject({ is: 'refused' })
    expect(await released.ask()).toMatchObject({ status: 'CANCELLED', closed: true })
    expect(await expired.ask()).toMatchObject({ status: 'EXPIRED', closed: true })
    vi.useRealTimers()
  })

  it('of a part can be refunded, but no more than that', async () => {
    const { capture, made, ask, psp } = await reserved()
    expect(await psp.refund(made, wantedOf(100))).toMatchObject({ is: 'refused' })
    await capture(made, wantedOf(500))
    expect(await psp.refund(made, wantedOf(501))).toMatchObject({ is: 'refused' })
    expect(await psp.refund(made, wantedOf(200))).toMatchObject({ is: 'taken' })
    const refund = [{ amount: 200, state: 'pending' }]
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 500, transfers: { refund } })
  })

  it('that was made at Mollie by hand counts as a part', async () => {
    const { capture, made, ask, fake } = await reserved()
    fake.payments[0]?.captures.push({
      ...{ id: 'cpt_byhand', status: 'succeeded', amount: eur('3.00'), description: 'by hand' },
      ...{ metadata: null, key: null, fingerprint: '' },
    })
    const byHand = { id: 'cpt_byhand', amount: 300, state: 'done' }
    expect(await ask()).toMatchObject({
      ...{ status: 'PENDING', paid: 300, authorized: 1250, released: 0 },
      transfers: { capture: [byHand] },
    })
    expect(await capture(made, wantedOf(1000))).toMatchObject({ is: 'refused' })
  })
})

describe('a release', () => {
  const once = (...answers: Answers) => atMollie(...answers)

  it('is accepted at once, and done when Mollie shows it', async () => {
    const { release, made, ask, fake } = await reserved()
    fake.manner.isReleaseSlow = true
    expect(await release(made, wantedOf(1250))).toMatchObject({ is: 'taken', state: 'pending' })
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 0, released: 0 })
    fake.endRelease('j')
    expect(await ask()).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
  })

  it('of the rest leaves what was captured', async () => {
    const { capture, release, made, ask } = await reserved()
    await capture(made, wantedOf(500))
    await release(made, wantedOf(750))
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 500, released: 750 })
  })

  it('has its own key', async () => {
    const { release, made, requests } = await reserved()
    const wanted = wantedOf(1250)
    await release(made, wanted)
    const key = requests.at(-1)?.headers.get('idempotency-key')
    expect(key).toMatch(UUID_V4)
    expect(key).toBe(wanted.id.replace(/^(.{14})8/, '$14'))
  })

  it('whose answer is lost, or that Mollie never got, is requested again and does no more', async () => {
    for (const fault of ['lost', 'down'] as const) {
      const { release, made, ask, faults, fake, psp } = await reserved()
      fake.manner.isReleaseSlow = true
      const wanted = wantedOf(1250)
      faults.set('release-authorization', fault)
      expect(await release(made, wanted)).toMatchObject(UNANSWERED)
      expect(psp.keyLife?.release).toBeGreaterThanOrEqual(DAY)
      expect(await release(made, wanted)).toMatchObject({ is: 'taken', state: 'pending' })
      fake.endRelease('j')
      expect(await release(made, wanted)).toMatchObject({ is: 'taken', state: 'done' })
      expect(await ask()).toMatchObject({ status: 'CANCELLED', paid: 0 })
    }
  })

  it('that Mollie refuses is refused while the money is held', async () => {
    const words = 'Authorization cannot be released because the payment is not in the authorized state.'
    const refused = mollieError(422, 'Unprocessable Entity', words)
    const held = json(200, payment({ status: 'authorized' }))
    expect(await once(refused, held).psp.release(PAYMENT, wantedOf(1250))).toMatchObject({
      is: 'refused',
      message: expect.stringContaining(words),
    })
    expect(
      await once(mollieError(404, 'Not Found', 'No payment exists')).psp.release(PAYMENT, wantedOf(1)),
    ).toMatchObject({ is: 'refused' })
  })

  it('is in doubt if the account is refused or Mollie does not answer', async () => {
    const answers: Answers[] = [
      [mollieError(401, 'Unauthorized Request', 'Missing authentication')],
      [json(503, {})],
      [closedConnection],
      [mollieError(422, 'Unprocessable Entity', 'No'), json(503, {})],
    ]
    for (const answer of answers) {
      const { psp } = once(...answer)
      expect(await psp.release(PAYMENT, wantedOf(1250))).toMatchObject({ is: 'unavailable' })
    }
  })
})
