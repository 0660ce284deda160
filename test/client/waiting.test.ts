import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentJob } from '../../src/contract/payment-job.ts'
import { makePos, payAs, type Pos } from '../support/hub.ts'
import { watchersOf } from '../support/job.ts'
import { receiver } from '../support/receiver.ts'
import { answered, type Fault, networked, type Sent, timeless, times } from './hub-double.ts'

let pos: Pos
beforeEach(async () => {
  receiver()
  pos = await makePos()
})
afterEach(() => vi.restoreAllMocks())

function isRead({ method, path }: Sent): boolean {
  return method === 'GET' && path.startsWith('/v2/paymentjobs/')
}

describe('waitFor', () => {
  it('waits at the hub, and gives the job as soon as it has changed', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const waiting = hub.waitFor(job, { timeout: 30_000 })
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    await payAs(job.payUrl, 'paid')
    expect(await waiting).toMatchObject({ status: 'SUCCESS', amountDue: '0.00' })
    const reads = network.sent.filter(isRead)
    expect(reads[0]?.headers.get('prefer')).toBeNull()
    expect(reads[1]?.headers.get('prefer')).toMatch(/^wait=(29|30)$/)
    expect(reads[1]?.headers.get('if-none-match')).toMatch(/^"/)
  })

  it('misses no change that comes between its two reads', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = times(1, isRead, async (_, reach) => {
      const answer = await reach()
      await payAs(job.payUrl, 'paid')
      return answer
    })
    const before = Date.now()
    expect(await hub.waitFor(job, { timeout: 25_000 })).toMatchObject({ status: 'SUCCESS' })
    expect(Date.now() - before).toBeLessThan(15_000)
  })

  it('waits for what it is told to wait for', async () => {
    const { hub } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    await payAs(job.payUrl, 'paid')
    await hub.waitFor(job)
    await hub.refund(job, { amount: '1.00' })
    const found = await hub.waitFor(job, {
      until: ({ payments }) => payments.steps.length > 0,
      timeout: 1000,
    })
    expect(found.status).toBe('SUCCESS')
  })

  it('gives the job as it stands when the time is over', async () => {
    const { hub } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const before = Date.now()
    expect(await hub.waitFor(job, { timeout: 1200 })).toMatchObject({ status: 'PENDING' })
    expect(Date.now() - before).toBeLessThan(8000)
  })

  it('polls with growing pauses where the hub cannot wait', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    // As a hub of the release before answers: it knows neither header.
    network.fault = async (sent, reach) => {
      if (!isRead(sent)) return null
      sent.headers.delete('prefer')
      const body = await (await reach()).text()
      return new Response(body === '' ? JSON.stringify(await hubOf()) : body)
    }
    const hubOf = () => networked(pos).hub.getPaymentJob(job)
    expect(await hub.waitFor(job, { timeout: 5000 })).toMatchObject({ status: 'PENDING' })
    const reads = network.sent.filter(isRead).length
    expect(reads).toBeGreaterThanOrEqual(3)
    expect(reads).toBeLessThanOrEqual(7)
  })

  it('goes on by plain reads when the job has too many watchers', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = (sent) =>
      sent.headers.has('prefer')
        ? answered(429, { status: 429, code: 'too-many-watchers' }, { 'retry-after': '60' })
        : null
    const waiting = hub.waitFor(job, { timeout: 20_000 })
    await vi.waitFor(() => expect(network.sent.some(({ headers }) => headers.has('prefer'))).toBe(true))
    await payAs(job.payUrl, 'paid')
    expect(await waiting).toMatchObject({ status: 'SUCCESS' })
  })

  it('outlasts a network that fails for a while, and ends with the reason of its signal', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = times(2, isRead, () => {
      throw new TypeError('connection lost')
    })
    await payAs(job.payUrl, 'paid')
    expect(await hub.waitFor(job, { timeout: 20_000 })).toMatchObject({ status: 'SUCCESS' })
    const other = await hub.createPaymentJob(timeless)
    const stop = new AbortController()
    const waiting = hub.waitFor(other, { signal: stop.signal })
    await vi.waitFor(async () => expect(await watchersOf(other.paymentJob)).toBe(1))
    stop.abort(new Error('the till was closed'))
    await expect(waiting).rejects.toThrow('the till was closed')
  })
})

describe('waitFor, where the time is over', () => {
  const failing =
    (isDown: () => boolean): Fault =>
    (sent) =>
      isRead(sent) && isDown() ? answered(503, { status: 503, code: 'unavailable' }) : null

  it('gives the job as it was when the hub last answered', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = failing(() => network.sent.filter(isRead).length > 1)
    expect(await hub.waitFor(job, { timeout: 1500 })).toMatchObject({ status: 'PENDING' })
  })

  it('fails as the hub did where that never answered', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = failing(() => true)
    await expect(hub.waitFor(job, { timeout: 100 })).rejects.toMatchObject({ status: 503 })
  })

  it('asks nothing where its signal has ended before', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const signal = AbortSignal.abort(new Error('the till was closed'))
    await expect(hub.waitFor(job, { signal })).rejects.toThrow('the till was closed')
    expect(network.sent.filter(isRead)).toEqual([])
  })
})

describe('watch', () => {
  /** Takes the jobs that a watch gives, until one is as wanted. */
  const until = async (jobs: AsyncIterable<PaymentJob>, wanted: (job: PaymentJob) => boolean) => {
    const statuses: string[] = []
    for await (const job of jobs) {
      statuses.push(job.status)
      if (wanted(job)) break
    }
    return statuses
  }
  const isPaid = ({ status }: PaymentJob) => status === 'SUCCESS'

  it('gives the job as it stands, and each change as it comes, over one stream', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const watching = until(hub.watch(job), isPaid)
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    await payAs(job.payUrl, 'paid')
    expect(await watching).toEqual(['PENDING', 'SUCCESS'])
    const reads = network.sent.filter(isRead)
    expect(reads).toHaveLength(1)
    expect(reads[0]?.headers.get('accept')).toBe('text/event-stream')
  })

  it('leaves no watcher behind when the loop is left', async () => {
    const { hub } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    await until(hub.watch(job), () => true)
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(0), { timeout: 20_000 })
  })

  it('comes back when the stream is cut off, and tells nothing twice', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = times(1, isRead, async (_, reach) => {
      const reader = (await reach()).body?.getReader()
      let left = 3
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const chunk = left-- > 0 ? await reader?.read() : undefined
          if (chunk?.value) return controller.enqueue(chunk.value)
          await reader?.cancel()
          controller.error(new TypeError('connection lost'))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    const watching = until(hub.watch(job), isPaid)
    await vi.waitFor(() => expect(network.sent.filter(isRead)).toHaveLength(2))
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    await payAs(job.payUrl, 'paid')
    expect(await watching).toEqual(['PENDING', 'SUCCESS'])
  })

  it('reads instead where the hub gives no stream', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = (sent) =>
      sent.headers.get('accept') === 'text/event-stream'
        ? answered(429, { status: 429, code: 'too-many-watchers' }, { 'retry-after': '60' })
        : null
    const watching = until(hub.watch(job), isPaid)
    await vi.waitFor(() => expect(network.sent.filter(isRead).length).toBeGreaterThan(1))
    await payAs(job.payUrl, 'paid')
    expect(await watching).toEqual(['PENDING', 'SUCCESS'])
  })

  it('of a job that does not exist throws', async () => {
    const { hub } = networked(pos)
    await expect(hub.watch(crypto.randomUUID()).next()).rejects.toMatchObject({ code: 'job-not-found' })
  })
})
