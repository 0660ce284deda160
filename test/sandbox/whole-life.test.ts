import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, makePos, payAs, readJob, send, tokenFor } from '../support/hub.ts'
import { ringNext, stored, waitForNextPull } from '../support/job.ts'
import { receiver } from '../support/receiver.ts'
import { act, objectOf, referenceOf } from './client.ts'

/**
 * The clock stands still, and ahead of the platform's: an alarm rings only when the test rings it.
 */
const START = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000

let outside: ReturnType<typeof receiver>
let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  outside = receiver()
  token = await tokenFor(await makePos())
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Rings the alarms of a payment until it is quiet for hours. */
async function ring(reference: string): Promise<void> {
  for (;;) {
    const at = await runInDurableObject(objectOf(reference), (_, state) => state.storage.getAlarm())
    if (at === null || at > Date.now() + 86_400_000) return
    waitForNextPull()
    vi.setSystemTime(Math.max(at, Date.now()))
    await runDurableObjectAlarm(objectOf(reference))
  }
}

/** Makes a job, and has its customer choose an outcome on the sandbox's page. */
async function made(outcome: string): Promise<{ job: string; reference: string }> {
  const job = await createJob(token)
  const reference = await referenceOf(job.payUrl)
  await payAs(job.payUrl, outcome)
  return { job: job.paymentJob, reference }
}

/** Lets something happen to a payment, and its notification come to the hub. */
async function happen(reference: string, action: string, body?: object): Promise<void> {
  const answer = await act(reference, action, body)
  expect([answer.status, action]).toEqual([200, action])
  await ring(reference)
}

async function stepsOf(job: string) {
  return (await readJob(token, job)).payments.steps.map((step) =>
    ['action', 'status', 'stage', 'amountRefunded', 'amountChargedBack']
      .flatMap((member) => {
        const value: unknown = Object.entries(step).find(([name]) => name === member)?.[1]
        return typeof value === 'string' ? [value] : []
      })
      .join(' '),
  )
}

function ask(path: string, body?: object): Promise<Response> {
  return send(`/v2/paymentjobs/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
}

function untilReported(job: string, member: string, value: string) {
  return vi.waitFor(() => {
    const reported = outside.of(job).map(({ body }) => (JSON.parse(body) as Record<string, unknown>)[member])
    expect(reported).toContain(value)
  }, 15_000)
}

describe('a payment of the sandbox', () => {
  it('that is on its way is PENDING, says so in its trace, and arrives by itself', async () => {
    const { job, reference } = await made('underway')
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    expect((await stepsOf(job)).slice(0, 2)).toEqual(['Start PENDING', 'Return PENDING underway'])
    await ring(reference)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    await untilReported(job, 'status', 'SUCCESS')
  })

  it('that is on its way does not expire, nor is it cancelled, and may fail after all', async () => {
    const { job, reference } = await made('bounced')
    expect((await ask(`${job}/cancel`)).status).toBe(409)
    expect((await readJob(token, job)).status).toBe('PENDING')
    await ring(reference)
    expect((await readJob(token, job)).status).toBe('FAILURE')
  })

  it('that is reserved is captured by the hub', async () => {
    const { job } = await made('authorized')
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('that is late is EXPIRED, and then SUCCESS', async () => {
    const { job, reference } = await made('late')
    expect((await readJob(token, job)).status).toBe('EXPIRED')
    await ring(reference)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
    expect((await stored(job)).late).toBe(true)
    await untilReported(job, 'status', 'SUCCESS')
  })

  it('whose money goes back by the sandbox is told step by step', async () => {
    const { job, reference } = await made('paid')
    await happen(reference, 'refund', { amount: '5.00' })
    expect(await readJob(token, job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '12.50',
      amountDue: '0.00',
      amountRefunded: '5.00',
    })
    await untilReported(job, 'amountRefunded', '5.00')
    await happen(reference, 'chargeback', { amount: '7.50' })
    expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00', amountChargedBack: '7.50' })
    await untilReported(job, 'amountChargedBack', '7.50')
    await happen(reference, 'reverse-chargeback')
    await happen(reference, 'fail-refund')
    const after = await readJob(token, job)
    expect(after.status).toBe('SUCCESS')
    expect(after).not.toHaveProperty('amountRefunded')
    expect((await stepsOf(job)).filter((step) => /^(Refund|Chargeback)/.test(step))).toEqual([
      'Refund SUCCESS 5.00',
      'Chargeback SUCCESS 5.00 7.50',
      'Chargeback SUCCESS 5.00',
      'Refund SUCCESS',
    ])
  })

  it('is refunded by the API of the hub: PENDING, and SUCCESS once the sandbox has sent the money', async () => {
    const { job, reference } = await made('paid')
    waitForNextPull()
    const answer = await ask(`${job}/refunds`, { amount: '5.00' })
    expect([answer.status, await answer.json()]).toMatchObject([201, { amount: '5.00', status: 'PENDING' }])
    await ring(reference)
    await vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00' }))
    const more = await ask(`${job}/refunds`, { amount: '7.51' })
    expect(more.status).toBe(422)
    const stateOf = async () => (await stored(job)).refunds[0]?.state
    for (let rings = 0; (await stateOf()) !== 'done' && rings < 10; rings++) await ringNext(job)
    const list = await send(`/v2/paymentjobs/${job}/refunds`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await list.json()).toMatchObject({ refunds: [{ amount: '5.00', status: 'SUCCESS' }] })
  })

  it('is stopped by the API of the hub while it is open', async () => {
    const job = await createJob(token)
    const reference = await referenceOf(job.payUrl)
    const answer = await ask(`${job.paymentJob}/cancel`)
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'CANCELLED' }])
    expect((await act(reference, 'pay')).status).toBe(409)
    await happen(reference, 'pay-late')
    expect((await readJob(token, job.paymentJob)).status).toBe('SUCCESS')
  })
})
