import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import type { JobDetail } from '../../src/contract/job-detail.ts'
import type { OperatorJobList } from '../../src/contract/job-search.ts'
import { createJob, makePos, order, payAs, readJob, tokenFor } from '../support/hub/hub.ts'
import { objectOf as jobObject, referenceOf, stored } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { addAccount, posAt, pspWorld, route } from '../support/psp-world.ts'
import { choose, get, objectOf } from '../sandbox/client.ts'
import { entriesAbout } from './audit-entries.ts'

function act(id: string, what: string, body?: object): Promise<Response> {
  return operate('POST', `/jobs/${id}/${what}`, body)
}

async function newJob(outcome?: string) {
  const token = await tokenFor(await makePos())
  const { paymentJob: id, payUrl } = await createJob(token)
  if (outcome !== undefined) await payAs(payUrl, outcome)
  return { id, token }
}

/** The refunds of a job at the PSP, newest first. */
async function refundsOf(id: string) {
  const payment = await objectOf(await referenceOf(id)).read()
  return (payment?.refunds ?? [])
    .toReversed()
    .map(({ amount, description }) => [(amount / 100).toFixed(2), description])
}

describe('an operator gives money back', () => {
  /** For refusals: each leaves the job unchanged. */
  let paid: ReturnType<typeof newJob> | undefined

  it('in parts with a description of their own, or the rest with the description that a shop would have', async () => {
    const { id, token } = await newJob('paid')
    const part = { id: crypto.randomUUID(), amount: '5.00', description: 'A shirt' }
    expect(await (await act(id, 'refunds', part)).json()).toMatchObject({ amount: '5.00' })
    expect(
      await (await act(id, 'refunds', { id: crypto.randomUUID(), description: '' })).json(),
    ).toMatchObject({
      amount: '7.50',
    })
    expect(await refundsOf(id)).toEqual([
      ['7.50', 'Refund of order A-7'],
      ['5.00', 'A shirt'],
    ])
    expect(await readJob(token, id)).toMatchObject({ amountRefunded: '12.50' })
  })

  it('once for each id', async () => {
    const { id } = await newJob('paid')
    const refund = { id: crypto.randomUUID(), amount: '5.00' }
    const [one, again] = [await act(id, 'refunds', refund), await act(id, 'refunds', refund)]
    expect([one.status, again.status]).toEqual([200, 200])
    expect(await again.json()).toEqual(await one.json())
    expect(await refundsOf(id)).toHaveLength(1)
  })

  it.each<[string, object]>([
    ['id', { id: '7' }],
    ['amount', { amount: '0.00' }],
    ['amount', { amount: '5,00' }],
    ['amount', { amount: '12.51' }],
    ['amount', { amount: 5 }],
    ['description', { description: 'x'.repeat(141) }],
    ['description', { description: 'a\u0007b' }],
  ])('but not with a wrong %s: %j', async (field, changes) => {
    const { id } = await (paid ??= newJob('paid'))
    const refused = await act(id, 'refunds', { id: crypto.randomUUID(), ...changes })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ field })
    expect(await refundsOf(id)).toEqual([])
  })

  it('but not of a payment that was not paid', async () => {
    const { id } = await newJob()
    const refused = await act(id, 'refunds', { id: crypto.randomUUID() })
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'refund-unpaid' }])
  })
})

describe('an operator cancels', () => {
  it('an open payment, which the customer then cannot pay any more', async () => {
    const { id, token } = await newJob()
    expect(await (await act(id, 'cancel')).json()).toMatchObject({ status: 'CANCELLED' })
    expect(await readJob(token, id)).toMatchObject({ status: 'CANCELLED' })
    expect(await get(await referenceOf(id))).toMatchObject({ status: 'canceled' })
    const stands = (status: string) => ({ status, amountPaid: '0.00', currency: 'EUR' })
    expect((await entriesAbout(id)).at(-1)).toMatchObject({
      action: 'job.cancel',
      result: 'done',
      before: stands('PENDING'),
      after: stands('CANCELLED'),
    })
  })

  it('but not one that is paid', async () => {
    const { id, token } = await newJob('paid')
    const refused = await act(id, 'cancel')
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'cancel-too-late' }])
    expect(await readJob(token, id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('an operator announces a payment that waits for its PSP', () => {
  const down = () => new Response(null, { status: 503 })
  async function waitingJob() {
    const world = pspWorld('mollie')
    world.fault = down
    const pos = await posAt(world)
    const { paymentJob: id } = await createJob(await tokenFor(pos))
    const { account } = await stored(id)
    return { world, pos, id, account }
  }

  it('and it goes on; a second time changes nothing', async () => {
    const { world, id } = await waitingJob()
    world.fault = null
    expect(await (await act(id, 'announce')).json()).toMatchObject({ announcement: 'announced', error: null })
    const asked = [...world.asked]
    expect((await act(id, 'announce')).status).toBe(200)
    expect(world.asked).toEqual(asked)
    expect((await entriesAbout(id)).map(({ action, result }) => `${action} ${result}`).slice(0, 2)).toEqual([
      'job.announce begun',
      'job.announce done',
    ])
  })

  it('at an account to which it was routed later', async () => {
    const { world, pos, id, account } = await waitingJob()
    const other = await addAccount(world, 1)
    await route(pos, '*', account, other)
    const [, second] = world.fake.accounts as readonly { apiKey: string }[]
    world.fault = (request) =>
      request.headers.get('authorization') === `Bearer ${second?.apiKey}`
        ? world.fake.handle(request)
        : down()
    expect(await (await act(id, 'announce')).json()).toMatchObject({ account: other })
  })

  it('in vain while the PSP does not answer, and too late once the order has expired', async () => {
    const { id } = await waitingJob()
    const vain = await act(id, 'announce')
    expect([vain.status, (await vain.json<{ code: string }>()).code]).toEqual([503, 'psp-unavailable'])
    await jobObject(id).tell({ do: 'cancel', by: 'shop' })
    const late = await act(id, 'announce')
    expect([late.status, (await late.json<{ code: string }>()).code]).toEqual([409, 'announce-too-late'])
    const paid = await act((await newJob('paid')).id, 'announce')
    expect(await paid.json()).toMatchObject({ status: 409, detail: 'The payment job is SUCCESS.' })
  })

  it('together with all others that wait at an account', async () => {
    const { world, pos, id, account } = await waitingJob()
    const { paymentJob: other } = await createJob(await tokenFor(pos))
    const listed = async () => (await answerTo<OperatorJobList>('GET', `/jobs?account=${account}`)).jobs
    await vi.waitFor(async () =>
      expect((await listed()).map((job) => job.id).toSorted()).toEqual([id, other].toSorted()),
    )
    const announce = async () => answerTo('POST', `/accounts/${account}/announce`)
    expect(await announce()).toEqual({ announced: 0, waiting: 2, next: null })
    world.fault = null
    expect(await announce()).toEqual({ announced: 2, waiting: 0, next: null })
  })
})

describe("a customer's personal data", () => {
  const bytesOf = (id: string) =>
    runInDurableObject(jobObject(id), (_, { storage }) => JSON.stringify([...storage.kv.list()]))
  const hashesOf = async (id: string) => {
    const journal = await operate('GET', `/jobs/${id}/journal`)
    return (await journal.json<{ entries: { hash: string }[] }>()).entries.map(({ hash }) => hash)
  }

  it('is erased for good on request, while the journal proves the same, and the audit log says who erased it', async () => {
    const { id } = await newJob('paid')
    expect(await (await act(id, 'personal')).json()).toMatchObject({ ipAddress: order.ip_address })
    const before = await hashesOf(id)
    expect(await (await act(id, 'erase')).json()).toEqual({ paymentJob: id, erased: true })
    expect(await bytesOf(id)).not.toContain(order.ip_address)
    expect(await (await act(id, 'personal')).json()).toMatchObject({ ipAddress: null })
    await evictDurableObject(jobObject(id))
    expect((await hashesOf(id)).slice(0, before.length)).toEqual(before)
    expect((await stored(id)).order.ipAddress).toBe('')
    expect(await (await act(id, 'erase')).json()).toMatchObject({ erased: false })
    const told = (await entriesAbout(id)).filter(({ result }) => result === 'done')
    expect(told.map(({ action }) => action)).toEqual([
      'job.personal',
      'job.erase',
      'job.personal',
      'job.erase',
    ])
    expect(JSON.stringify(told)).not.toContain(order.ip_address)
  })

  it('of an open payment is erased too, and the payment can still be made', async () => {
    const token = await tokenFor(await makePos())
    const { paymentJob: id, payUrl } = await createJob(token)
    expect(await (await act(id, 'erase')).json()).toMatchObject({ erased: true })
    await payAs(payUrl, 'paid')
    expect(await readJob(token, id)).toMatchObject({ status: 'SUCCESS' })
    expect(await bytesOf(id)).not.toContain(order.ip_address)
  })
})

describe('an operator asks the PSP', () => {
  it('about a payment of which no notification came', async () => {
    const { id } = await newJob()
    await choose(await referenceOf(id), 'paid')
    expect(await (await act(id, 'pull')).json()).toMatchObject({ status: 'SUCCESS' })
  })

  it('and sees when the hub last asked, even if the PSP had no news', async () => {
    const { id } = await newJob()
    const asked = async () => (await answerTo<JobDetail>('GET', `/jobs/${id}`)).askedAt
    expect(await asked()).toBeNull()
    const [told, toldNothing] = [Date.now(), Date.now() + 5000]
    vi.setSystemTime(told)
    await act(id, 'pull')
    vi.setSystemTime(toldNothing)
    await act(id, 'pull')
    expect(Date.parse((await asked()) ?? '')).toBe(toldNothing)
    // After that only the journal's facts are known.
    await evictDurableObject(jobObject(id))
    expect(Date.parse((await asked()) ?? '')).toBe(told)
  })

  it('in vain if the PSP does not answer, and may ask again', async () => {
    const world = pspWorld('mollie')
    const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
    world.fault = () => new Response(null, { status: 503 })
    const answer = await act(id, 'pull')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await answer.json()).toMatchObject({
      code: 'psp-unavailable',
      detail: 'The payment service provider does not answer. Try again.',
    })
  })
})
