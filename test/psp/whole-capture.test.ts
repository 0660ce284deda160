import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { type JobJson, askWith, createJob, readJob } from '../support/hub/hub.ts'
import { ringFor, ringNext, ringUntilFinal, stored, waitForNextPull } from '../support/jobs/job.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt, refund } from '../support/psp-world.ts'
import type { FakePsp } from '../support/psps/fake-psp.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { stripeFake } from '../support/psps/stripe.ts'
import { adapterOf } from '../../src/psp/adapters.ts'
import { SAMPLES } from './samples.ts'
import { STAGES, type Stage } from './stages.ts'

type CaptureJson = { capture: string; status: string; amount: string; final: boolean; error: string | null }

/** How the tests drive a payment at a PSP. */
type Place = {
  token: string
  /** The customer pays, so the PSP reserves the money and notifies the hub. */
  pay: (job: JobJson) => Promise<void>
  /** The PSP sends its notifications. */
  tell: (job: string) => Promise<unknown>
  reports: (job: string) => string[]
  /** The number of requests for a capture. */
  captures: () => number
  /** The fault that later captures meet; null for none. */
  fault: (fault: 'refused' | 'answer lost' | null) => void
}

/** A live shop at the double of a PSP. */
async function at<Fake extends FakePsp>(
  psp: string,
  fake: Fake,
): Promise<Place & { fake: Fake; releases: () => number }> {
  const world = Object.assign(outsideWith(fake), { psp })
  // A key serves as a token, so that no passage of time ends it.
  const { apiKey: token } = await posAt(world)
  const tell = async (job: string) => {
    waitForNextPull()
    expect(new Set(await notify(world, job))).toEqual(new Set([200]))
  }
  return {
    fake,
    token,
    tell,
    pay: async ({ paymentJob: job }) => {
      fake.bring(job, 'paid')
      await tell(job)
    },
    reports: world.reportsOf,
    captures: () => world.asked.filter((one) => /^POST .*\/captures?$/.test(one)).length,
    releases: () => world.asked.filter((one) => one.endsWith('/release-authorization')).length,
    fault: (fault) => {
      world.fault = async (request) => {
        if (!isCapture(request) || fault === null) return fake.handle(request)
        if (fault === 'refused') return SAMPLES[psp]?.refusals.refused_other(request) ?? new Response()
        await fake.handle(request)
        return new Response('', { status: 502 })
      }
    },
  }
}

function isCapture({ method, url }: Request): boolean {
  return method === 'POST' && /\/captures?$/.test(new URL(url).pathname)
}

function isSo(job: JobJson, how: object): boolean {
  return Object.entries(how).every(([name, value]) => job[name] === value)
}

describe.each(Object.entries(STAGES))('reserved money at %s', (psp, open) => {
  const several = adapterOf(psp)?.reserves.captures === 'several'
  let stage: Stage
  let place: Place
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    stage = open()
    place = await at(psp, stage.fake)
  })

  async function reserved(changes: object = {}): Promise<string> {
    const { method = 'creditcard' } = stage
    const order = { payment_method: method, amount: '50.00', order_number: crypto.randomUUID() }
    const made = await createJob(place.token, { ...order, capture: 'manual', ...changes })
    await place.pay(made)
    expect(await readJob(place.token, made.paymentJob)).toMatchObject({
      status: 'PENDING',
      amountAuthorized: '50.00',
      amountDue: '50.00',
    })
    return made.paymentJob
  }
  const read = (job: string) => readJob(place.token, job)
  const ask = (job: string, path: string, body?: object, key: string = crypto.randomUUID()) =>
    askWith(place.token, 'POST', `/v2/paymentjobs/${job}/${path}`, body, { 'idempotency-key': key })
  async function capture(job: string, body: object = {}, key?: string): Promise<CaptureJson> {
    const response = await ask(job, 'captures', body, key)
    expect(response.status).toBe(201)
    return response.json()
  }
  async function captures(job: string): Promise<CaptureJson[]> {
    const response = await askWith(place.token, 'GET', `/v2/paymentjobs/${job}/captures`)
    return (await response.json<{ captures: CaptureJson[] }>()).captures
  }
  async function expectProblem(response: Response, status: number, code: string): Promise<void> {
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([status, code])
  }
  /**
   * Sends the PSP's notifications, and rings alarm after alarm until the job has this state. A release that is repeated
   * a day later needs 11; on a busy machine more ring only for a report or a row of the index.
   */
  async function until(job: string, how: object): Promise<JobJson> {
    await place.tell(job)
    for (let rings = 0; rings < 48 && !isSo(await read(job), how); rings++) await ringNext(job)
    expect(await read(job)).toMatchObject(how)
    return read(job)
  }
  const actionsOf = (job: JobJson) => [...new Set(job.payments.steps.map(({ action }) => action))]

  it('shows its deadline, and counts neither as paid nor as refundable or cancellable', async () => {
    const job = await reserved()
    const told = await read(job)
    expect(told).toMatchObject({ amountPaid: '0.00', error: null })
    expect(Date.parse(String(told['captureBefore']))).toBeGreaterThan(Date.now() + 2 * DAY)
    expect(told.payments.steps.at(-1)).toMatchObject({ stage: 'authorized', amountAuthorized: '50.00' })
    await vi.waitFor(() => expect(place.reports(job)).toEqual(['PENDING']))
    expect(await refund(place.token, job, '1.00')).toMatchObject({ code: 409 })
    await expectProblem(await ask(job, 'cancel'), 409, 'cancel-too-late')
    expect(await captures(job)).toEqual([])
  })

  it('is captured as a whole', async () => {
    const job = await reserved()
    expect(await capture(job)).toMatchObject({ amount: '50.00' })
    const done = await until(job, { status: 'SUCCESS', amountPaid: '50.00', amountDue: '0.00' })
    expect(done).not.toHaveProperty('captureBefore')
    expect(done).not.toHaveProperty('amountReleased')
    expect(actionsOf(done)).toContain('Capture')
    await vi.waitFor(() => expect(place.reports(job).at(-1)).toBe('SUCCESS'))
    expect(await captures(job)).toMatchObject([{ status: 'SUCCESS', amount: '50.00' }])
    expect(place.captures()).toBe(1)
  })

  it('is captured in part, and then the rest, unless the PSP captures once', async () => {
    const job = await reserved()
    await capture(job, { amount: '20.00' })
    if (several) {
      await until(job, { status: 'PENDING', amountPaid: '20.00', amountDue: '30.00' })
      await expectProblem(await ask(job, 'captures', { amount: '30.01' }), 422, 'capture-too-much')
      expect(await capture(job)).toMatchObject({ amount: '30.00' })
      await until(job, { status: 'SUCCESS', amountPaid: '50.00', amountDue: '0.00' })
    } else {
      await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00', amountDue: '0.00' })
      await expectProblem(await ask(job, 'captures'), 409, 'capture-nothing-left')
    }
    expect(place.captures()).toBe(several ? 2 : 1)
  })

  it('is released by the last capture', async () => {
    const job = await reserved()
    await capture(job, { amount: '20.00', final: true })
    const done = await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00' })
    expect(done).toMatchObject({ amountDue: '0.00' })
    await expectProblem(await ask(job, 'captures'), 409, 'capture-nothing-left')
    await expectProblem(await ask(job, 'release'), 409, 'capture-nothing-left')
  })

  it('is released as a whole', async () => {
    const job = await reserved()
    expect((await ask(job, 'release')).status).toBe(200)
    const done = await until(job, { status: 'CANCELLED', amountPaid: '0.00', amountReleased: '50.00' })
    expect(actionsOf(done)).toContain('Release')
    await vi.waitFor(() => expect(place.reports(job).at(-1)).toBe('CANCELLED'))
    await expectProblem(await ask(job, 'captures'), 409, 'capture-nothing-left')
    expect(place.captures()).toBe(0)
  })

  it.runIf(several)('is released after a part was captured', async () => {
    const job = await reserved()
    await capture(job, { amount: '20.00' })
    await until(job, { amountPaid: '20.00' })
    expect((await ask(job, 'release')).status).toBe(200)
    await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00', amountDue: '0.00' })
  })

  it('is refunded up to what was captured', async () => {
    const job = await reserved()
    await capture(job, { amount: '20.00', final: true })
    await until(job, { status: 'SUCCESS', amountPaid: '20.00' })
    waitForNextPull()
    expect(await refund(place.token, job, '20.01')).toMatchObject({ code: 422 })
    expect(await refund(place.token, job, '5.00')).toMatchObject({ code: 201, amount: '5.00' })
    expect(await read(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '20.00' })
  })

  it('is never captured beyond what was reserved', async () => {
    const job = await reserved()
    await expectProblem(await ask(job, 'captures', { amount: '50.01' }), 422, 'capture-too-much')
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => ask(job, 'captures', { amount: '20.00' })),
    )
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(several ? 2 : 1)
    expect(place.captures()).toBe(several ? 2 : 1)
  })

  it('is captured once if the same key comes twice', async () => {
    const job = await reserved()
    const all = await Promise.all([1, 2, 3].map(() => capture(job, { amount: '20.00' }, 'parcel-1')))
    expect(new Set(all.map((one) => one.capture)).size).toBe(1)
    await expectProblem(
      await ask(job, 'captures', { amount: '21.00' }, 'parcel-1'),
      422,
      'idempotency-key-reused',
    )
    expect(place.captures()).toBe(1)
  })

  it('stays reserved when the PSP refuses to capture it, in its words', async () => {
    const job = await reserved()
    vi.spyOn(console, 'warn').mockReturnValue()
    place.fault('refused')
    const response = await ask(job, 'captures', { amount: '20.00' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      code: 'capture-refused',
      detail: expect.stringMatching(/refused the capture: \w/) as string,
    })
    place.fault(null)
    expect(await captures(job)).toMatchObject([{ status: 'FAILURE' }])
    await until(job, { status: 'PENDING', amountAuthorized: '50.00', amountPaid: '0.00' })
    await capture(job)
    await until(job, { status: 'SUCCESS', amountPaid: '50.00', error: null })
  })

  it('is captured once if the answer is lost, and the capture is found', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const job = await reserved()
    place.fault('answer lost')
    expect(await capture(job, { amount: '20.00', final: true }, 'lost-1')).toMatchObject({
      status: 'PENDING',
    })
    place.fault(null)
    await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountDue: '0.00' })
    await ringFor(job, HOUR)
    expect(await captures(job)).toMatchObject([{ status: 'SUCCESS', amount: '20.00' }])
    expect((await capture(job, { amount: '20.00', final: true }, 'lost-1')).status).toBe('SUCCESS')
  })

  it('is released at its deadline, and the job says so', async () => {
    const job = await reserved()
    expect((await ringUntilFinal(job)).status).toMatch(/^(CANCELLED|EXPIRED)$/)
    await until(job, { amountPaid: '0.00', amountReleased: '50.00' })
    await expectProblem(await ask(job, 'captures'), 409, 'capture-nothing-left')
  })

  it('is no longer paid if a capture fails after it had succeeded', async () => {
    if (!stage.failCapture) return
    const job = await reserved()
    await capture(job, { amount: '20.00', final: true })
    await until(job, { status: 'SUCCESS', amountPaid: '20.00' })
    stage.failCapture(job)
    await place.tell(job)
    await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountRefunded: '20.00' })
    expect(await captures(job)).toMatchObject([{ status: 'FAILURE' }])
  })
})

describe('Mollie, which takes time', () => {
  async function reservedAtMollie() {
    const place = await at('mollie', mollieFake())
    const order = { payment_method: 'creditcard', amount: '50.00', capture: 'manual' }
    const made = await createJob(place.token, order)
    await place.pay(made)
    const job = made.paymentJob
    const ask = (path: string, body: object = {}) =>
      askWith(place.token, 'POST', `/v2/paymentjobs/${job}/${path}`, body)
    return { place, job, ask, read: () => readJob(place.token, job) }
  }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))

  it('releases later than it says: the job is PENDING until then, and nothing can be captured', async () => {
    const { place, job, ask, read } = await reservedAtMollie()
    place.fake.manner.isReleaseSlow = true
    expect((await ask('release')).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'PENDING' })
    expect(await read()).not.toHaveProperty('captureBefore')
    expect((await ask('captures')).status).toBe(409)
    expect((await ask('release')).status).toBe(200)
    expect(place.releases()).toBe(1)
    await ringFor(job, DAY)
    expect((await ask('release')).status).toBe(200)
    expect(place.releases()).toBe(2)
    place.fake.endRelease(job)
    await place.tell(job)
    await vi.waitFor(async () =>
      expect(await read()).toMatchObject({ status: 'CANCELLED', amountReleased: '50.00' }),
    )
  })

  it('captures later than it says: the money counts once the capture is made, and not if it fails', async () => {
    const { place, job, ask, read } = await reservedAtMollie()
    place.fake.manner.captures = 'pending'
    expect(await (await ask('captures', { amount: '20.00' })).json()).toMatchObject({ status: 'PENDING' })
    expect(await read()).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    expect((await ask('captures', { amount: '30.01' })).status).toBe(422)
    place.fake.endCaptures(job, 'failed')
    for (let rings = 0; (await read()).error === null && rings < 12; rings++) await ringNext(job)
    expect(await read()).toMatchObject({ status: 'PENDING', amountPaid: '0.00', amountDue: '50.00' })
    place.fake.manner.captures = 'succeeded'
    expect((await ask('captures')).status).toBe(201)
    for (let rings = 0; (await read()).status === 'PENDING' && rings < 12; rings++) await ringNext(job)
    expect(await read()).toMatchObject({ status: 'SUCCESS', amountPaid: '50.00', error: null })
  })
})

describe('money that is reserved at Stripe', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))

  it.each([
    ['captured in part', { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00' }],
    ['released', { status: 'CANCELLED', amountReleased: '50.00' }],
  ])('counts as %s if an operator of the shop does that there by hand', async (what, how) => {
    const fake = stripeFake()
    const { token, pay } = await at('stripe', fake)
    const order = { payment_method: 'creditcard', amount: '50.00', capture: 'manual' }
    const made = await createJob(token, order)
    await pay(made)
    const { paymentJob: job } = made
    const { account } = await stored(job)
    waitForNextPull()
    const sent =
      what === 'released'
        ? await fake.releaseThere(job, Date.now())
        : await fake.captureThere(job, 2000, true, Date.now())
    for (const one of sent) expect((await deliver(account, one)).status).toBe(200)
    await vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject(how))
  })
})
