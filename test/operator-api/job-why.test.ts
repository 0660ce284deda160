import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobDetail } from '../../src/contract/job-detail.ts'
import { callWorker } from '../security/call-worker.ts'
import { posName } from '../../src/registry/points-of-sale.ts'
import { createJob, makePos, ORIGIN, payAs, type Pos, tokenFor } from '../support/hub/hub.ts'
import { watchersOf } from '../support/jobs/job.ts'
import { nextAddress, answerTo, operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

let pos: Pos
let token: string
let status: number
beforeEach(async () => {
  status = 200
  receiver(() => new Response('out of memory', { status }))
  pos = await makePos()
  token = await tokenFor(pos)
})

async function detailOf(id: string): Promise<JobDetail> {
  return answerTo<JobDetail>('GET', `/jobs/${id}`)
}

describe('a payment job, as an operator sees it', () => {
  it('has the name of its shop, what is planned, and why it is pending', async () => {
    const { paymentJob: id } = await createJob(token)
    const job = await detailOf(id)
    expect(job).toMatchObject({ pos: pos.id, posName: 'Shop 1', passedOver: [] })
    expect(job.timers).toMatchObject({ nextAnnouncement: null, nextReport: null, purge: null })
    expect(Date.parse(job.timers.nextPull ?? '')).toBeLessThan(Date.parse(job.timers.expires ?? ''))
    expect(job.why).toMatchObject({ cause: 'customer-not-back', move: 'customer', also: [] })
  })

  it('shows how the receiver answered, and how long that took', async () => {
    status = 500
    const { paymentJob: id, payUrl } = await createJob(token)
    await payAs(payUrl, 'paid')
    const job = await vi.waitFor(async () => {
      const found = await detailOf(id)
      expect(found.reports.at(-1)?.attempts).not.toEqual([])
      return found
    }, 15_000)
    const [attempt] = job.reports.at(-1)?.attempts ?? []
    expect(attempt).toMatchObject({
      outcome: '500',
      answer: 'out of memory',
      milliseconds: expect.any(Number),
    })
    expect(job.why).toMatchObject({ cause: 'receiver-answers-error', move: 'shop' })
    expect(job.why.happened).toContain('Its answer began: "out of memory"')
    expect(job.timers.nextReport).not.toBeNull()
  })

  it('remembers that an operator cancelled it, and shows when it will be deleted', async () => {
    const { paymentJob: id } = await createJob(token)
    await operate('POST', `/jobs/${id}/cancel`)
    const job = await vi.waitFor(async () => {
      const found = await detailOf(id)
      expect(found.reports.at(-1)?.state).toBe('delivered')
      return found
    }, 15_000)
    expect(job.why.cause).toBe('cancelled-by-operator')
  })
})

describe('the name of a point of sale', () => {
  it('is not known while D1 is down, nor for an unknown id', async () => {
    expect(await posName(env.DB, 'nobody')).toBeNull()
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    expect(await posName(env.DB, pos.id)).toBeNull()
  })

  it('is waited for only for a limited time', async () => {
    const hangs = { prepare: () => ({ bind: () => ({ raw: () => new Promise(() => {}) }) }) }
    const start = Date.now()
    expect(await posName(hangs as unknown as D1Database, pos.id)).toBeNull()
    expect(Date.now() - start).toBeLessThan(10_000)
  })

  it('leaves no timer behind once it is known', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      expect(await posName(env.DB, pos.id)).toBe('Shop 1')
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the events of a payment job', () => {
  it('come to an operator as they come to the point of sale', async () => {
    const { paymentJob: id, payUrl } = await createJob(token)
    const response = await operate('GET', `/jobs/${id}/events`)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
    let text = ''
    const readUntil = async (part: string): Promise<void> => {
      while (!text.includes(part)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream ended before ${part}: ${text}`)
        text += new TextDecoder().decode(value)
      }
    }
    await readUntil('event: paymentjob')
    expect(text).toContain('"action":"Start"')
    await payAs(payUrl, 'paid')
    await readUntil('"status":"SUCCESS"')
    await reader.cancel()
  })

  it.each<[string, (response: Response, gone: AbortController) => unknown]>([
    ['takes no more of them', (response) => response.body?.cancel()],
    ['aborts the request', (_, gone) => gone.abort()],
  ])('are no longer watched once the operator %s', async (_, leave) => {
    const { paymentJob: id } = await createJob(token)
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'cf-connecting-ip': nextAddress() }
    const { signal } = gone
    const response = await callWorker(
      new Request(`${ORIGIN}/operator/v1/jobs/${id}/events`, { headers, signal }),
    )
    expect(await watchersOf(id)).toBe(1)
    await leave(response, gone)
    await expect.poll(() => watchersOf(id), { timeout: 15_000 }).toBe(0)
  })
})
