import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PullCall, sync, syncWithPsp } from '../../src/job/sync-with-psp.ts'
import { SILENT_PSP } from '../../src/psp/connect.ts'
import { createJob, send, tokenFor } from '../support/hub.ts'
import { objectOf, recordAnswer, ringNext, stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

let world: ReturnType<typeof outside>
let id: string
beforeEach(async () => {
  world = outside()
  id = (await createJob(await tokenFor(await makeLivePos()))).paymentJob
})
afterEach(() => {
  vi.useRealTimers()
  world.stop()
})

describe('what a signed notification claims', () => {
  const claim = async (claimedStatus: 'FAILURE' | 'CANCELLED') => {
    const call: Omit<PullCall, 'id'> = { reason: 'claim', claimedStatus }
    return (await syncWithPsp(env, id, call))?.job
  }

  it('counts while the PSP says that the payment is open', async () => {
    expect(await claim('FAILURE')).toMatchObject({ status: 'FAILURE', paid: 0 })
  })

  it.each([
    ['paid', 'SUCCESS', 1250],
    ['canceled', 'CANCELLED', 0],
    ['expired', 'EXPIRED', 0],
  ] as const)('does not count where the PSP says %s', async (said, status, paid) => {
    world.fake.setStatus(said)
    expect(await claim('FAILURE')).toMatchObject({ status, paid })
  })

  it('does not count while the PSP does not answer', async () => {
    world.fault = () => new Response(null, { status: 500 })
    expect(await claim('FAILURE')).toMatchObject({ status: 'PENDING', steps: [{ action: 'Start' }] })
  })
})

describe('a payment that the hub stops', () => {
  /** The customer pays just before the PSP hears that the payment is to end. */
  const payFirst = () => {
    world.fault = (request) => {
      if (request.method === 'DELETE') world.fake.setStatus('paid')
      return world.fake.handle(request)
    }
  }

  it('counts when it is paid while the customer gives up', async () => {
    payFirst()
    await send(`/return/${id}?cancelled=1`)
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('counts when it is paid while the job ends', async () => {
    payFirst()
    vi.setSystemTime((await stored(id)).expiresAt)
    await runDurableObjectAlarm(objectOf(id))
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('is stopped again when the PSP did not answer to that at the end of the job', async () => {
    const stops = () => world.asked.filter((call) => call.startsWith('DELETE')).length
    world.fault = (request) =>
      request.method === 'DELETE' ? new Response(null, { status: 502 }) : world.fake.handle(request)
    vi.setSystemTime((await stored(id)).expiresAt)
    await runDurableObjectAlarm(objectOf(id))
    expect((await stored(id)).status).toBe('PENDING')
    const before = stops()
    world.fault = null
    expect((await ringNext(id)).status).toBe('EXPIRED')
    expect(stops()).toBeGreaterThan(before)
  })
})

it('a customer who comes back while the PSP is silent leaves a step', async () => {
  world.fault = () => new Response(null, { status: 500 })
  await send(`/return/${id}`)
  expect((await stored(id)).steps.map(({ action, status }) => [action, status])).toEqual([
    ['Start', 'PENDING'],
    ['Return', 'PENDING'],
  ])
})

describe('a pull', () => {
  it('that meets a fault of the hub ends its turn as one without an answer: others wait for it', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(SILENT_PSP, 'pull').mockRejectedValue(new Error('a fault of the adapter'))
    // An account that is not there is a PSP that stays silent, unless it is at fault.
    const job = { ...(await stored(id)), account: crypto.randomUUID() }
    const ended: unknown[] = []
    const synced = await sync(
      env,
      { id: 'a', reason: 'return' },
      {
        beginPull: async () => ({ is: 'pull', job }),
        endPull: (_, result) => {
          ended.push(result)
          return job
        },
      },
    )
    vi.restoreAllMocks()
    expect(synced?.isAnswered).toBe(false)
    const answer = { is: 'unavailable', message: 'The status could not be pulled.' }
    expect(ended).toEqual([{ answer, stopped: false }])
  })
})

it('what was paid beyond the amount is logged once', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  for (const paid of [1250, 1300, 1300]) {
    await recordAnswer(id, { is: 'observed', status: 'SUCCESS', paid, expiresAt: null })
  }
  const { pos, account } = await stored(id)
  expect(loggedOf(warned, id)).toEqual([{ event: 'payment.overpaid', job: id, pos, account }])
  warned.mockRestore()
})

it('what a job logs because of a pull has the id of the request that brought it', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  const call = { id: crypto.randomUUID(), reason: 'return', request: `mine-${crypto.randomUUID()}` } as const
  const answer = { is: 'observed', status: 'SUCCESS', paid: 1400, expiresAt: null } as const
  const { paymentJob } = await createJob(await tokenFor(await makeLivePos()))
  await objectOf(paymentJob).endPull(call, { answer, stopped: false })
  expect(warned).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'payment.overpaid', job: paymentJob, request: call.request }),
  )
  warned.mockRestore()
})
