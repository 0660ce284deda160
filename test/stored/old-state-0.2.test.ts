import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import state from '../fixtures/release-0.2.0.json'
import { type JobJson, create, order, payAs, read, readJob, send, tokenFor } from '../support/hub.ts'
import { ringNext, stored } from '../support/job.ts'
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

describe('state of release 0.2.0 is served by this release', () => {
  it('tokens open the jobs of their point of sale, and no others, until their key is revoked', async () => {
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'PENDING', orderNumber: 'OPEN' })
    expect(await readJob(tokens.live, jobs.elsewhere)).toMatchObject({ orderNumber: 'ELSEWHERE' })
    expect((await read(tokens.live, jobs.open)).status).toBe(404)
  })

  it('an API key that was used in place of a token is taken, and gets new tokens', async () => {
    expect((await read(pos.test.apiKey, jobs.direct)).status).toBe(200)
    expect((await read(await tokenFor(pos.test), jobs.direct)).status).toBe(200)
  })

  it('an open job is paid on the page that its customer has open', async () => {
    const { payUrl } = await readJob(tokens.test, jobs.open)
    expect(await payAs(payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('money that is on its way still is, and arrives', async () => {
    const before = await readJob(tokens.test, jobs.underway)
    expect(before).toMatchObject({ status: 'PENDING' })
    expect(before.payments.steps.at(-1)).toMatchObject({ stage: 'underway' })
    const { announcement } = await stored(jobs.underway)
    if (announcement.is !== 'announced') throw new Error('it is not announced')
    await send(`/sandbox/payments/${announcement.reference}/arrive`, { method: 'POST' })
    expect((await operate('POST', `/jobs/${jobs.underway}/pull`)).status).toBe(200)
    expect(await readJob(tokens.test, jobs.underway)).toMatchObject({ status: 'SUCCESS' })
  })

  it('refunds are as they were, and one that was on its way is settled', async () => {
    expect(await refundsOf(jobs.refunded)).toMatchObject([
      { amount: '2.50', status: 'SUCCESS' },
      { amount: '3.00', status: 'PENDING' },
    ])
    await ringNext(jobs.refunded)
    expect(await refundsOf(jobs.refunded)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
    expect(await readJob(tokens.test, jobs.refunded)).toMatchObject({ amountRefunded: '5.50' })
  })

  it('a chargeback and a cancelled job are shown', async () => {
    expect(await readJob(tokens.test, jobs.chargedBack)).toMatchObject({
      status: 'SUCCESS',
      amountChargedBack: '12.50',
    })
    expect(await readJob(tokens.test, jobs.cancelled)).toMatchObject({ status: 'CANCELLED' })
  })

  it('a repeated create with an old key gives the old job', async () => {
    const again = await create(tokens.test, order, { 'idempotency-key': 'key-1' })
    expect((await again.json<JobJson>()).paymentJob).toBe(jobs.keyed)
  })

  it('a payment that another account may hold is still looked for', async () => {
    const before = await stored(jobs.elsewhere)
    expect(before.otherPayments).toMatchObject([{ account: state.accounts.first, tries: 0 }])
    expect(await env.PAYMENT_JOB.getByName(jobs.elsewhere).wake()).toBe(true)
  })
})
