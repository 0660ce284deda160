import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, createJob, makePos, payAs, readJob, tokenFor } from '../support/hub/hub.ts'
import { ringFor, stored } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act, referenceOf } from './client.ts'

let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1000) * 1000 + 3_600_000 })
  vi.spyOn(console, 'warn').mockReturnValue()
  receiver()
  token = await tokenFor(await makePos())
})

function ordered(words: string) {
  return createJob(token, { order_number: `A-7 ${words}` })
}

async function refund(job: string) {
  const response = await askWith(token, 'POST', `/v2/paymentjobs/${job}/refunds`)
  return response.json<{ status: unknown; detail?: string }>()
}

describe('an order whose number asks for trouble at the sandbox', () => {
  it.each([
    ['sandbox-refuse', 'refused_other'],
    ['sandbox-refuse-amount', 'refused_amount'],
    ['SANDBOX-REFUSE-METHOD', 'refused_method'],
    ['sandbox-refuse-account', 'refused_account'],
  ])('%s is refused with the reason %s', async (words, reason) => {
    const { status, error } = await ordered(words)
    expect([status, error?.split(':')[0]]).toEqual(['FAILURE', reason])
  })

  it.each(['sandbox-down-20', 'sandbox-down'])('%s waits, and is announced by itself', async (words) => {
    const job = await ordered(words)
    expect(job).toMatchObject({ status: 'PENDING', error: expect.stringContaining('down') })
    await ringFor(job.paymentJob, 120_000)
    await payAs(job.payUrl, 'paid')
    expect((await readJob(token, job.paymentJob)).status).toBe('SUCCESS')
  })

  it('sandbox-slow-1 is answered a second later', async () => {
    const job = await ordered('sandbox-slow-1')
    expect(job).toMatchObject({ status: 'PENDING', error: null })
    vi.setSystemTime(Date.now() + 61_000)
    await payAs(job.payUrl, 'paid')
    expect((await readJob(token, job.paymentJob)).status).toBe('SUCCESS')
  })

  it.each(['sandbox-wrong-amount', ''])(
    '%j is paid with one cent too little if it asks for that',
    async (words) => {
      const { paymentJob: job, payUrl } = await ordered(words)
      await payAs(payUrl, words === '' ? 'short' : 'paid')
      expect(await readJob(token, job)).toMatchObject({
        status: 'PENDING',
        amountPaid: '12.49',
        amountDue: '0.01',
      })
    },
  )

  it.each(['sandbox-refuses', 'my-sandbox', 'sandbox-slow-soon', 'sandbox'])(
    '%s asks for nothing',
    async (words) => {
      expect(await ordered(words)).toMatchObject({ status: 'PENDING', error: null })
    },
  )
})

describe('a payment at a sandbox in trouble', () => {
  it('is paid when the sandbox is well again, after its customer came back while it was down', async () => {
    const { paymentJob: job, payUrl } = await ordered('')
    await payAs(payUrl, 'silent')
    expect((await readJob(token, job)).status).toBe('PENDING')
    await ringFor(job, 15 * 60_000)
    expect((await stored(job)).standing.is).toBe('paid')
  })

  it('refuses refunds with the given reason from then on', async () => {
    const { paymentJob: job, payUrl } = await ordered('')
    const reference = await referenceOf(payUrl)
    expect((await act(reference, 'refuse', { reason: 'Too old' })).status).toBe(200)
    await payAs(payUrl, 'paid')
    expect(await refund(job)).toMatchObject({ status: 422, detail: expect.stringContaining('Too old') })
  })

  it.each([
    ['slow', { seconds: -1 }, 'seconds'],
    ['down', { seconds: 'long' }, 'seconds'],
    ['refuse', { reason: 7 }, 'reason'],
  ])('does not accept %s with %j', async (action, body, field) => {
    const reference = await referenceOf((await ordered('')).payUrl)
    const answer = await act(reference, action, body)
    expect([answer.status, await answer.json()]).toMatchObject([422, { field }])
  })
})
