import { statusOf } from '../../src/job/core/state.ts'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskAnswer } from '../../src/psp/answer.ts'
import { consumeDeadReports, consumeReports } from '../../src/reports/report-delivery.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { objectOf, playObject, recordAnswer, ringNext, stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { batchOf } from '../support/hub/queue.ts'
import { type Received, receiver } from '../support/shops/receiver.ts'
import { paidJob as paidJobOf, untilTried } from '../support/jobs/reported.ts'

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

/** A job whose report goes through the queue, as after an alarm that found the job's end. */
async function reportedByQueue(seen: AskAnswer = PAID): Promise<string> {
  const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
  await recordAnswer(id, seen, 'return')
  return id
}

/** A job whose report waits for its first try: the queue has lost the message. */
async function untriedJob(seen: AskAnswer = PAID): Promise<string> {
  const queue = vi.spyOn(env.REPORTS, 'send').mockResolvedValue(undefined as never)
  const id = await reportedByQueue(seen)
  await vi.waitFor(() =>
    expect(queue.mock.calls.map(([body]) => (body as { job: string }).job)).toContain(id),
  )
  return id
}

/** Moves the clock to when a queued report counts as lost. */
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
  it('is logged, and repeated by the queue, if the job does not learn the outcome', async () => {
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
    ['has lost', async () => undefined as never],
    ['refused', () => Promise.reject(new Error('queue is down'))],
  ])('is sent again when the queue %s it', async (_, take) => {
    const queue = vi.spyOn(env.REPORTS, 'send').mockImplementation(take)
    const id = await reportedByQueue()
    queue.mockRestore()
    expect((await stored(id)).report?.history).toHaveLength(0)
    await ringAfterLoss(id)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
  })

  it('is not delivered twice when the queue delivers it twice', async () => {
    const id = await paidJob()
    const { revision } = await untilTried(id)
    const batch = batchOf([
      { job: id, revision },
      { job: id, revision },
    ])
    await consumeReports(batch.batch)
    expect(batch.acked()).toBe(2)
    expect(shop.of(id)).toHaveLength(1)
  })

  it('shares a try that is under way, and makes another if that was cut off', async () => {
    const id = await untriedJob()
    const { revision } = await stored(id)
    expect((await objectOf(id).toReport(revision))?.id).toBe(id)
    expect(await objectOf(id).toReport(revision)).toBeNull()
    vi.setSystemTime(Date.now() + 20_000)
    expect((await objectOf(id).toReport(revision))?.id).toBe(id)
  })

  it('ends with the newest state when an older report arrives last', async () => {
    const id = await untriedJob({ is: 'observed', status: 'EXPIRED', paid: 0, expiresAt: null })
    const told = async (revision: number) => {
      const state = await objectOf(id).toReport(revision)
      return state && statusOf(state)
    }
    const tell = (revision: number) => objectOf(id).tell({ do: 'record-report', tried: delivered(revision) })
    expect(await told(2)).toBe('EXPIRED')
    await recordAnswer(id, PAID, 'return')
    // The newer waits for the older, but not for one that was lost.
    expect(await told(3)).toBeNull()
    vi.setSystemTime(Date.now() + 20_000)
    // A repetition of the older would deliver the newer with the older's `webhook-id`.
    expect(await told(2)).toBeNull()
    expect(await told(3)).toBe('SUCCESS')
    await tell(3)
    await tell(2)
    expect(await told(3)).toBe('SUCCESS')
  })

  it('is followed by the newer one as soon as its try has ended', async () => {
    const id = await untriedJob({ is: 'observed', status: 'EXPIRED', paid: 0, expiresAt: null })
    expect(await objectOf(id).toReport(2)).not.toBeNull()
    await recordAnswer(id, PAID, 'return')
    vi.mocked(env.REPORTS).send.mockRestore()
    await objectOf(id).tell({ do: 'record-report', tried: delivered(2) })
    await vi.waitFor(async () => expect((await stored(id)).report?.state).toBe('delivered'))
    expect(shop.received.map(({ body }) => body)).toContainEqual(expect.stringContaining('SUCCESS'))
  })

  it('is retried by the queue when the object does not answer', async () => {
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation(() => {
      throw new Error('overloaded')
    })
    const batch = batchOf([{ job: crypto.randomUUID(), revision: 2 }])
    await consumeReports(batch.batch)
    expect([batch.acked(), batch.retried()]).toEqual([0, 1])
  })

  it('does not hold up the others of its batch, nor the next batch, while its receiver is slow', async () => {
    const lost = vi.spyOn(env.REPORTS, 'send').mockImplementation(async () => undefined as never)
    const [slow, quick] = [await reportedByQueue(), await reportedByQueue()]
    await vi.waitFor(() => expect(lost.mock.calls.length).toBeGreaterThanOrEqual(2))
    lost.mockRestore()
    let held = true
    slowOne = async ({ body }) => {
      while (held && body.includes(slow)) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { revision } = await stored(slow)
    const batch = batchOf([
      { job: slow, revision },
      { job: quick, revision },
    ])
    await consumeReports(batch.batch)
    expect([batch.acked(), (await untilTried(quick)).state]).toEqual([2, 'delivered'])
    expect((await stored(slow)).report?.state).toBe('due')
    held = false
    expect((await untilTried(slow)).state).toBe('delivered')
  })

  it('that ends in the dead letter queue uses up no try, and is sent again', async () => {
    const id = await untriedJob()
    const { revision } = await stored(id)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await consumeDeadReports(batchOf([{ job: id, revision }]).batch)
    expect(loggedOf(errors, id)).toMatchObject([{ event: 'report.dead-letter', revision }])
    vi.mocked(env.REPORTS.send).mockRestore()
    await ringAfterLoss(id)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', tries: 1 })
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
