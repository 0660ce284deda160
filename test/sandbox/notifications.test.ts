import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, location, makePos, readJob, send, tokenFor } from '../support/hub.ts'
import { receiver } from '../support/receiver.ts'
import { choose, get, make, newPayment, objectOf, sandbox } from './client.ts'

const MINUTE = 60_000

/**
 * The clock stands still, and ahead of the platform's: an alarm rings only when the test rings it.
 */
const START = Math.ceil(Date.now() / 1000) * 1000 + 60 * MINUTE
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/**
 * Goes to the time of the payment's next alarm, and rings it. False when that is only there to
 * delete the payment.
 */
async function ring(id: string): Promise<boolean> {
  const at = await runInDurableObject(objectOf(id), (_, state) => state.storage.getAlarm())
  if (at === null || at > START + 29 * 24 * 60 * MINUTE) return false
  vi.setSystemTime(at)
  return runDurableObjectAlarm(objectOf(id))
}

async function ringToTheEnd(id: string): Promise<void> {
  while (await ring(id));
}

const webhookUrl = 'https://shop.nl/webhook?job=7'

type Call = { after: number; request: string; redirect: string; type: string | null; form: unknown }

/** Plays the webhook. Keeps what is sent to it, and after how many minutes. */
function webhook(answer: (calls: number) => Response | Promise<Response> = () => new Response('ok')): Call[] {
  const calls: Call[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    calls.push({
      after: Math.round((Date.now() - START) / MINUTE),
      request: `${request.method} ${request.url}`,
      redirect: request.redirect,
      type: request.headers.get('content-type'),
      form: Object.fromEntries(await request.formData()),
    })
    return answer(calls.length)
  })
  return calls
}

describe('a payment that nobody completes', () => {
  it('expires at its end, and notifies then', async () => {
    const calls = webhook()
    const { id } = await make({ webhookUrl })
    await ring(id)
    const end = new Date(START + 15 * MINUTE).toISOString().replace('.000Z', '+00:00')
    expect(await get(id)).toMatchObject({ status: 'expired', expiredAt: end })
    expect(calls).toEqual([])
    await ringToTheEnd(id)
    expect(calls).toMatchObject([{ after: 15, form: { id } }])
    expect(await get(id)).toMatchObject({ status: 'expired', expiredAt: end })
  })

  it('has expired at its end even before its alarm has rung', async () => {
    const { id } = await make()
    vi.setSystemTime(START + 15 * MINUTE - 1)
    expect(await get(id)).toHaveProperty('status', 'open')
    vi.setSystemTime(START + 15 * MINUTE)
    expect(await get(id)).toHaveProperty('status', 'expired')
    expect((await choose(id, 'paid')).headers.get('location')).toBe(newPayment.redirectUrl)
    expect(await sandbox.stop(id, 'EUR')).toMatchObject({ status: 'EXPIRED' })
    expect(await get(id)).toHaveProperty('status', 'expired')
  })

  it('does not expire when it was paid in time', async () => {
    const { id } = await make()
    await choose(id, 'paid')
    vi.setSystemTime(START + 60 * MINUTE)
    await runDurableObjectAlarm(objectOf(id))
    expect(await get(id)).toHaveProperty('status', 'paid')
  })
})

describe('the notification of a payment', () => {
  it.each(['paid', 'failed', 'canceled', 'expired'])('that is %s is a form with its id', async (outcome) => {
    const calls = webhook()
    const { id } = await make({ webhookUrl })
    await choose(id, outcome)
    expect(calls).toEqual([])
    await ringToTheEnd(id)
    expect(calls).toEqual([
      {
        after: 0,
        request: `POST ${webhookUrl}`,
        redirect: 'manual',
        type: expect.stringMatching(/^application\/x-www-form-urlencoded\b/),
        form: { id },
      },
    ])
  })

  it('comes after a stop by the hub too', async () => {
    const calls = webhook()
    const { id } = await make({ webhookUrl })
    await sandbox.stop(id, 'EUR')
    await ringToTheEnd(id)
    expect(calls).toMatchObject([{ form: { id } }])
  })

  it('does not come while the payment is open', async () => {
    const calls = webhook()
    const { id } = await make({ webhookUrl })
    await choose(id, 'open')
    await runDurableObjectAlarm(objectOf(id))
    expect(calls).toEqual([])
    expect(await get(id)).toHaveProperty('status', 'open')
  })

  it.each([
    ['an error', () => new Response('no', { status: 503 })],
    ['a redirect', () => Response.redirect('https://shop.nl/elsewhere', 307)],
    ['a refused connection', () => Promise.reject(new Error('connection refused'))],
  ])('is repeated after %s until it is accepted', async (_, failure) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const calls = webhook((count) => (count < 3 ? failure() : new Response(null, { status: 204 })))
    const { id } = await make({ webhookUrl })
    await choose(id, 'paid')
    await ringToTheEnd(id)
    expect(calls.map(({ form }) => form)).toEqual([{ id }, { id }, { id }])
  })

  it('is repeated ten times within 26 hours, and then no more', async () => {
    const calls = webhook(() => new Response('no', { status: 500 }))
    const { id } = await make({ webhookUrl })
    await choose(id, 'paid')
    await ringToTheEnd(id)
    expect(calls.map(({ after }) => after)).toEqual([0, 1, 3, 7, 15, 31, 60, 120, 240, 720, 1560])
  })

  it('is sent of each change, though the one before is still being sent', async () => {
    let paidTwice = false
    const calls = webhook(async (count) => {
      // While the receiver answers the first one, money goes back.
      if (count === 1) paidTwice = (await refundAll()).ok
      return new Response('ok')
    })
    const { id } = await make({ webhookUrl })
    const refundAll = () => send(`/sandbox/payments/${id}/refund`, { method: 'POST' })
    await choose(id, 'paid')
    await ringToTheEnd(id)
    expect(paidTwice).toBe(true)
    expect(calls.map(({ form }) => form)).toEqual([{ id }, { id }])
  })

  it('completes a job of the hub without its customer, and without leaving the hub', async () => {
    const outside = receiver()
    const token = await tokenFor(await makePos())
    const job = await createJob(token)
    const checkout = location(await send(job.payUrl))
    const id = checkout.slice(checkout.lastIndexOf('/') + 1)
    await choose(id, 'paid')
    await ringToTheEnd(id)
    const settled = await readJob(token, job.paymentJob)
    expect(settled.status).toBe('SUCCESS')
    expect(settled.payments.steps.map(({ action }) => action)).toEqual(['Start', 'Statuspull'])
    expect(outside.received.filter(({ url }) => url.includes('/notifications/'))).toEqual([])
  })
})
