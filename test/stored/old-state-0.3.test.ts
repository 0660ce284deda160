import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import state from '../fixtures/release-0.3.0.json'
import { type JobJson, create, order, payAs, read, readJob, send, tokenFor } from '../support/hub.ts'
import { objectOf, ringNext, stored } from '../support/job.ts'
import { answered, listen } from '../support/listener.ts'
import { operate } from '../support/operator.ts'
import { receiver } from '../support/receiver.ts'
import { restoreState } from './restore-state.ts'

const { jobs, pos, tokens } = state
let shop: ReturnType<typeof receiver>

beforeAll(async () => {
  vi.setSystemTime(state.savedAt)
  await restoreState(state)
  shop = receiver()
})
afterAll(() => {
  shop.stop()
  vi.useRealTimers()
})

async function refundsOf(job: string) {
  const answer = await send(`/v2/paymentjobs/${job}/refunds`, {
    headers: { authorization: `Bearer ${tokens.test}` },
  })
  return (await answer.json<{ refunds: { amount: string; status: string }[] }>()).refunds
}

describe('state of release 0.3.0 is served by this release', () => {
  it('tokens open the jobs of their point of sale, and no others', async () => {
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'PENDING', orderNumber: 'OPEN' })
    expect(await readJob(tokens.live, jobs.elsewhere)).toMatchObject({ orderNumber: 'ELSEWHERE' })
    expect((await read(tokens.live, jobs.open)).status).toBe(404)
  })

  it('an API key that was used in place of a token is taken, and gets new tokens', async () => {
    expect((await read(pos.test.apiKey, jobs.direct)).status).toBe(200)
    expect((await read(await tokenFor(pos.test), jobs.direct)).status).toBe(200)
  })

  it.each([
    ['paid', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['reserved', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['listened', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['late', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['failed', { status: 'FAILURE', amountPaid: '0.00' }],
    ['cancelled', { status: 'CANCELLED', amountPaid: '0.00' }],
    ['expired', { status: 'EXPIRED', amountPaid: '0.00' }],
    ['chargedBack', { status: 'SUCCESS', amountChargedBack: '12.50' }],
    ['refundedAtThePsp', { status: 'SUCCESS', amountRefunded: '1.25' }],
  ] as const)('a job that was left %s is shown as it was', async (name, shown) => {
    expect(await readJob(tokens.test, jobs[name])).toMatchObject(shown)
    expect((await send(`/receipt/${jobs[name]}`)).status).toBe(200)
  })

  it('an open job is paid on the page that its customer has open', async () => {
    const { payUrl } = await readJob(tokens.test, jobs.open)
    expect(await payAs(payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('money that is on its way still is, and arrives', async () => {
    const before = await readJob(tokens.test, jobs.underway)
    expect(before.payments.steps.at(-1)).toMatchObject({ stage: 'underway' })
    const { announcement } = await stored(jobs.underway)
    if (announcement.is !== 'announced') throw new Error('it is not announced')
    await send(`/sandbox/payments/${announcement.reference}/arrive`, { method: 'POST' })
    expect((await operate('POST', `/jobs/${jobs.underway}/pull`)).status).toBe(200)
    expect(await readJob(tokens.test, jobs.underway)).toMatchObject({ status: 'SUCCESS' })
  })

  it('a job with a clock of its own still has it: its report is tried again by it, seconds later', async () => {
    const before = await stored(jobs.fast)
    expect(before).toMatchObject({ clock: { speed: 1000 }, reports: [{ state: 'waiting', attempts: [{}] }] })
    vi.setSystemTime(Date.now() + 15_000)
    await runDurableObjectAlarm(objectOf(jobs.fast))
    await vi.waitFor(async () => expect((await stored(jobs.fast)).reports[0]?.state).toBe('delivered'))
    expect(await stored(jobs.fastOpen)).toMatchObject({ status: 'PENDING', clock: { speed: 1000 } })
  })

  it('a report that failed is tried again when its time comes', async () => {
    vi.setSystemTime(Date.now() + 60_000)
    await runDurableObjectAlarm(objectOf(jobs.retried))
    await vi.waitFor(async () =>
      expect((await stored(jobs.retried)).reports).toMatchObject([
        { state: 'delivered', attempts: [{}, {}] },
      ]),
    )
  })

  it('a report that was given up can be sent again, to a listener too', async () => {
    const listener = await listen(tokens.test, { answering: answered(204) })
    expect((await operate('POST', `/jobs/${jobs.dead}/resend`)).status).toBe(200)
    await listener.until('report')
    await vi.waitFor(async () => expect((await stored(jobs.dead)).reports[0]?.state).toBe('delivered'))
    expect(shop.of(jobs.dead)).toEqual([])
    listener.close()
  })

  it('refunds are as they were, and those that were on their way are settled: one arrives, one fails', async () => {
    expect(await refundsOf(jobs.refunded)).toMatchObject([
      { amount: '2.50', status: 'SUCCESS' },
      { amount: '3.00', status: 'PENDING' },
    ])
    expect(await refundsOf(jobs.refundFailed)).toMatchObject([{ amount: '4.00', status: 'PENDING' }])
    await ringNext(jobs.refunded)
    await ringNext(jobs.refundFailed)
    expect(await refundsOf(jobs.refunded)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
    expect(await readJob(tokens.test, jobs.refunded)).toMatchObject({ amountRefunded: '5.50' })
    expect(await refundsOf(jobs.refundFailed)).toMatchObject([{ status: 'FAILURE' }])
    expect(await readJob(tokens.test, jobs.refundFailed)).not.toHaveProperty('amountRefunded')
  })

  it('a repeated create with an old key gives the old job, and with the key of a purged job none', async () => {
    const again = await create(tokens.test, order, { 'idempotency-key': 'key-1' })
    expect((await again.json<JobJson>()).paymentJob).toBe(jobs.keyed)
    const purged = { ...order, order_number: 'PURGED' }
    expect((await create(tokens.test, purged, { 'idempotency-key': 'key-purged' })).status).toBe(409)
  })

  it('payments that another account may hold are still looked for', async () => {
    const { accounts } = state
    expect((await stored(jobs.elsewhere)).otherPayments).toMatchObject([
      { account: accounts.first, tries: 0 },
    ])
    expect(await env.PAYMENT_JOB.getByName(jobs.elsewhere).wake()).toBe(true)
  })

  it('a job that no account has taken yet is still announced again', async () => {
    const { announcement } = await stored(jobs.waiting)
    expect(announcement).toMatchObject({ is: 'due', tries: 1 })
    expect((await readJob(tokens.live, jobs.waiting)).status).toBe('PENDING')
  })

  it('a search finds them by order number and by status', async () => {
    const search = async (query: string) => {
      const answer = await send(`/v2/paymentjobs?from=2034-06-01&${query}`, {
        headers: { authorization: `Bearer ${tokens.test}` },
      })
      const { paymentJobs } = await answer.json<{ paymentJobs: { paymentJob: string }[] }>()
      return paymentJobs.map(({ paymentJob }) => paymentJob)
    }
    expect(await search('order_number=REFUNDED')).toEqual([jobs.refunded])
    expect(await search('status=CANCELLED')).toEqual([jobs.cancelled])
  })
})
