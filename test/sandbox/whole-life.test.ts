import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, createJob, makePos, payAs, readJob, tokenFor } from '../support/hub/hub.ts'
import { waitForNextPull } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act, objectOf, referenceOf } from './client.ts'

/**
 * The clock stands still, ahead of the platform's, so an alarm rings only when the test rings it.
 */
const START = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000

let outside: ReturnType<typeof receiver>
let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  outside = receiver()
  token = await tokenFor(await makePos())
})

/** Rings a payment's alarms until the next is hours away. */
async function ring(reference: string): Promise<void> {
  for (;;) {
    const at = await runInDurableObject(objectOf(reference), (_, state) => state.storage.getAlarm())
    if (at === null || at > Date.now() + 86_400_000) return
    waitForNextPull()
    vi.setSystemTime(Math.max(at, Date.now()))
    await runDurableObjectAlarm(objectOf(reference))
  }
}

/** Makes a job whose customer chooses an outcome on the sandbox's page. */
async function made(outcome: string): Promise<{ job: string; reference: string }> {
  const job = await createJob(token)
  const reference = await referenceOf(job.payUrl)
  await payAs(job.payUrl, outcome)
  return { job: job.paymentJob, reference }
}

/** Changes a payment and delivers its notification to the hub. */
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
  return askWith(token, 'POST', `/v2/paymentjobs/${path}`, body ?? {})
}

function untilReported(job: string, member: string, value: string) {
  return vi.waitFor(() => {
    const reported = outside.of(job).map(({ body }) => (JSON.parse(body) as Record<string, unknown>)[member])
    expect(reported).toContain(value)
  }, 15_000)
}

describe('a payment of the sandbox', () => {
  it('that is on its way neither expires nor is cancelled, and may fail after all', async () => {
    const { job, reference } = await made('bounced')
    expect((await ask(`${job}/cancel`)).status).toBe(409)
    expect((await readJob(token, job)).status).toBe('PENDING')
    await ring(reference)
    expect((await readJob(token, job)).status).toBe('FAILURE')
  })

  it('whose money goes back by the sandbox shows that step by step', async () => {
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
})
