import { statusOf } from '../../src/job/core/state.ts'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskAnswer } from '../../src/psp/answer.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub.ts'
import { objectOf, playObject, recordAnswer, ringNext, stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { type Received, receiver } from '../support/receiver.ts'
import { beginTries } from '../support/report-tries.ts'
import { paidJob as paidJobOf, untilTried } from '../support/reported.ts'

let answer: () => Response | Promise<Response>
let slowOne: (received: Received) => Promise<void>
let shop: ReturnType<typeof receiver>
beforeEach(() => {
  answer = () => new Response('ok')
  slowOne = async () => {}
  shop = receiver(async (received) => {
    await slowOne(received)
    return answer()
  })
})

async function paidJob(): Promise<string> {
  return paidJobOf(await makePos())
}

const PAID = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const

/** A job that has ended, as after an alarm that found its end. */
async function endedJob(seen: AskAnswer = PAID): Promise<string> {
  const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
  await recordAnswer(id, seen, 'return')
  return id
}

/** Moves the clock to when a try counts as lost. */
async function ringAfterLoss(id: string): Promise<void> {
  vi.setSystemTime(Date.now() + 31_000)
  await runDurableObjectAlarm(objectOf(id))
}

function delivered(revision: number) {
  return {
    is: 'report-tried',
    revision,
    began: Date.now(),
    ms: 5,
    outcome: '200',
    result: 'delivered',
  } as const
}

describe('delivery of a report', () => {
  it('is logged, and repeated, if the job does not learn the outcome', async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const { payUrl, paymentJob: id } = await createJob(await tokenFor(await makePos()))
    playObject(id, () => ({ tell: () => Promise.reject(new Error('The object is broken.')) }))
    await payAs(payUrl, 'paid')
    await vi.waitFor(() => expect(loggedOf(errors, id)).toMatchObject([{ event: 'report.not-tried' }]))
    vi.mocked(env.PAYMENT_JOB.getByName).mockRestore()
    await ringAfterLoss(id)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect(shop.of(id)).toHaveLength(2)
  })

  it.each([
    ['a 500', () => new Response('no', { status: 500 }), '500'],
    ['a redirect, which is not followed', () => Response.redirect('https://elsewhere.nl/', 307), '307'],
    ['a broken connection', () => Promise.reject(new Error('reset')), 'no connection'],
  ])(
    'is tried again after %s, with the same webhook-id and the newest state',
    async (_, failure, outcome) => {
      answer = failure
      const id = await paidJob()
      expect(await untilTried(id)).toMatchObject({ state: 'due', history: [{ outcome }] })
      answer = () => new Response('ok')
      await ringNext(id)
      expect(await untilTried(id, 2)).toMatchObject({ state: 'delivered' })
      const [first, second] = shop.of(id).map(({ headers }) => headers['webhook-id'])
      expect(second).toBe(first)
    },
  )

  it('stops at a 410, and the log says so', async () => {
    answer = () => new Response(null, { status: 410 })
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const id = await paidJob()
    const { state, history } = await untilTried(id)
    expect([state, history[0]?.outcome]).toEqual(['given-up', '410'])
    expect(history[0]?.ms).toBeLessThan(60_000)
    expect(loggedOf(warned, id)).toMatchObject([{ event: 'report.failed', outcome: '410' }])
  })

  it('waits as long as Retry-After asks', async () => {
    answer = () => new Response(null, { status: 503, headers: { 'retry-after': '7200' } })
    const { notBefore } = await untilTried(await paidJob())
    expect(notBefore - Date.now()).toBeGreaterThan(7_190_000)
  })
})

describe('a report on its way', () => {
  it.each([
    ['was lost', () => {}],
    ['could not begin', () => Promise.reject(new Error('the Worker is broken'))],
  ])('is sent again when its try %s', async (_, attempt) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const tries = beginTries(attempt)
    const id = await endedJob()
    await vi.waitFor(() => expect(tries).toHaveBeenCalled())
    tries.mockRestore()
    expect((await stored(id)).report?.history).toHaveLength(0)
    await ringAfterLoss(id)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', tries: 1 })
  })

  it('shares a try that is under way, and makes another if that was cut off', async () => {
    const tries = beginTries()
    const id = await endedJob()
    await vi.waitFor(() => expect(tries).toHaveBeenCalledTimes(1))
    vi.setSystemTime(Date.now() + 19_000)
    await objectOf(id).wake()
    expect(tries).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + 12_000)
    await objectOf(id).wake()
    expect(tries).toHaveBeenCalledTimes(2)
  })

  it('ends with the newest state when an older report arrives last', async () => {
    const tries = beginTries()
    const begun = () => tries.mock.calls.map(([job, revision]) => [revision, statusOf(job)])
    const id = await endedJob({ is: 'observed', status: 'EXPIRED', paid: 0, expiresAt: null })
    await vi.waitFor(() => expect(begun()).toEqual([[2, 'EXPIRED']]))
    await recordAnswer(id, PAID, 'return')
    // The newer waits for the older, but not for one that was lost.
    await objectOf(id).wake()
    expect(begun()).toHaveLength(1)
    vi.setSystemTime(Date.now() + 20_000)
    await objectOf(id).wake()
    expect(begun().at(-1)).toEqual([3, 'SUCCESS'])
    await objectOf(id).tell({ do: 'record-report', tried: delivered(3) })
    await objectOf(id).tell({ do: 'record-report', tried: delivered(2) })
    await vi.waitFor(() => expect(begun().slice(2)).toEqual([[3, 'SUCCESS']]))
  })

  it('is followed by the newer one as soon as its try has ended', async () => {
    const tries = beginTries()
    const id = await endedJob({ is: 'observed', status: 'EXPIRED', paid: 0, expiresAt: null })
    await vi.waitFor(() => expect(tries).toHaveBeenCalledTimes(1))
    await recordAnswer(id, PAID, 'return')
    tries.mockRestore()
    await objectOf(id).tell({ do: 'record-report', tried: delivered(2) })
    await vi.waitFor(async () => expect((await stored(id)).report?.state).toBe('delivered'))
    expect(shop.received.map(({ body }) => body)).toContainEqual(expect.stringContaining('SUCCESS'))
  })

  it('does not keep its object, nor hold up other jobs, while its receiver is slow', async () => {
    let held = true
    let slow = ''
    slowOne = async ({ body }) => {
      while (held && body.includes(slow)) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    ;({ paymentJob: slow } = await createJob(await tokenFor(await makePos())))
    await recordAnswer(slow, PAID, 'return')
    expect((await untilTried(await endedJob())).state).toBe('delivered')
    // An alarm that rings would last as long as the try if it waited for it.
    await objectOf(slow).wake()
    expect((await stored(slow)).report?.state).toBe('due')
    held = false
    expect((await untilTried(slow)).state).toBe('delivered')
  })
})

describe('the alarm', () => {
  it('never throws, whatever is stored, and is set again', async () => {
    const { paymentJob } = await createJob(await tokenFor(await makePos()))
    const stub = objectOf(paymentJob)
    const next = await runInDurableObject(stub, async (instance, state) => {
      Object.defineProperty(instance, 'read', {
        value: () => {
          throw new Error('cannot be read')
        },
      })
      await state.storage.deleteAlarm()
      await instance.alarm?.()
      return state.storage.getAlarm()
    })
    expect(next).toBeGreaterThan(Date.now())
  })

  it('outlives an eviction of the object', async () => {
    answer = () => new Response(null, { status: 500 })
    const id = await paidJob()
    await untilTried(id)
    const { evictDurableObject } = await import('cloudflare:test')
    await evictDurableObject(objectOf(id))
    answer = () => new Response('ok')
    vi.setSystemTime(Date.now() + 60_000)
    expect(await runDurableObjectAlarm(objectOf(id))).toBe(true)
    expect(await untilTried(id, 2)).toMatchObject({ state: 'delivered' })
  })
})
