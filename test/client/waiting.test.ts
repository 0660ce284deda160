import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentJob } from '../../src/contract/payment-job.ts'
import { makePos, payAs, type Pos } from '../support/hub/hub.ts'
import { watchersOf } from '../support/jobs/job.ts'
import { quickPauses } from '../support/time/quick-pauses.ts'
import { receiver } from '../support/shops/receiver.ts'
import { answered, type Fault, networked, type Sent, timeless, times } from './hub-double.ts'

let pos: Pos
beforeEach(async () => {
  receiver()
  pos = await makePos()
})

function isRead({ method, path }: Sent): boolean {
  return method === 'GET' && path.startsWith('/v2/paymentjobs/')
}

describe('waitFor', () => {
  it('waits at the hub, and returns the job as soon as it has changed', async () => {
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

  it('misses no change between its two reads', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = times(1, isRead, async (_, reach) => {
      const answer = await reach()
      await payAs(job.payUrl, 'paid')
      return answer
    })
    expect(await hub.waitFor(job)).toMatchObject({ status: 'SUCCESS' })
    expect(network.sent.filter(isRead)).toHaveLength(2)
  })

  it('waits until the job is as the caller wants it', async () => {
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

  it('returns the job in its current state when the time is over', async () => {
    const { hub } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    expect(await hub.waitFor(job, { timeout: 300 })).toMatchObject({ status: 'PENDING' })
  })

  it('reads with growing pauses if the hub cannot wait', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const stop = new AbortController()
    network.fault = async (sent, reach) => {
      if (!isRead(sent)) return null
      if (network.sent.filter(isRead).length === 5) stop.abort(new Error('enough'))
      // A proxy may remove the header about waiting.
      return sent.headers.has('prefer')
        ? new Response(null, { status: 304, headers: { etag: '"a"' } })
        : reach()
    }
    const pauses = quickPauses()
    await expect(hub.waitFor(job, { signal: stop.signal })).rejects.toThrow('enough')
    const between = pauses.filter((ms) => ms > 700 && ms < 2000)
    expect(between).toHaveLength(3)
    expect(between).toEqual(between.toSorted((one, other) => one - other))
  })

  it('falls back to plain reads when the job has too many watchers', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = (sent) =>
      sent.headers.has('prefer')
        ? answered(429, { status: 429, code: 'too-many-watchers' }, { 'retry-after': '60' })
        : null
    quickPauses()
    const waiting = hub.waitFor(job)
    await vi.waitFor(() => expect(network.sent.some(({ headers }) => headers.has('prefer'))).toBe(true))
    await payAs(job.payUrl, 'paid')
    expect(await waiting).toMatchObject({ status: 'SUCCESS' })
  })

  it('survives a network that fails for a while, and ends with the reason of its signal', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = times(2, isRead, () => {
      throw new TypeError('connection lost')
    })
    await payAs(job.payUrl, 'paid')
    const quick = quickPauses()
    expect(await hub.waitFor(job)).toMatchObject({ status: 'SUCCESS' })
    expect(quick.length).toBeGreaterThan(1)
    vi.restoreAllMocks()
    receiver()
    const other = await hub.createPaymentJob(timeless)
    const stop = new AbortController()
    const waiting = hub.waitFor(other, { signal: stop.signal })
    await vi.waitFor(async () => expect(await watchersOf(other.paymentJob)).toBe(1))
    stop.abort(new Error('the till was closed'))
    await expect(waiting).rejects.toThrow('the till was closed')
  })
})

describe('waitFor, when the time is over', () => {
  const failing =
    (isDown: () => boolean): Fault =>
    (sent) =>
      isRead(sent) && isDown() ? answered(503, { status: 503, code: 'unavailable' }) : null

  it('returns the job as the hub last answered it', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = failing(() => network.sent.filter(isRead).length > 1)
    expect(await hub.waitFor(job, { timeout: 300 })).toMatchObject({ status: 'PENDING' })
  })

  it("throws the hub's error if the hub never answered", async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    network.fault = failing(() => true)
    await expect(hub.waitFor(job, { timeout: 100 })).rejects.toMatchObject({ status: 503 })
  })

  it('sends nothing if its signal has already ended', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const signal = AbortSignal.abort(new Error('the till was closed'))
    await expect(hub.waitFor(job, { signal })).rejects.toThrow('the till was closed')
    expect(network.sent.filter(isRead)).toEqual([])
  })
})

describe('watch', () => {
  /** Reads the jobs that a watch yields until one meets the condition. */
  const until = async (jobs: AsyncIterable<PaymentJob>, wanted: (job: PaymentJob) => boolean) => {
    const statuses: string[] = []
    for await (const job of jobs) {
      statuses.push(job.status)
      if (wanted(job)) break
    }
    return statuses
  }
  const isPaid = ({ status }: PaymentJob) => status === 'SUCCESS'

  it('yields the job in its current state, and then each change once', async () => {
    const { hub, network } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const watching = until(hub.watch(job), isPaid)
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    await payAs(job.payUrl, 'paid')
    expect(await watching).toEqual(['PENDING', 'SUCCESS'])
    expect(network.sent.filter(isRead)).toHaveLength(2)
    expect(network.sent.at(-1)?.headers.get('prefer')).toBe('wait=50')
  })

  it('leaves no watcher behind when its signal ends it', async () => {
    const { hub } = networked(pos)
    const job = await hub.createPaymentJob(timeless)
    const stop = new AbortController()
    const watching = until(hub.watch(job, { signal: stop.signal }), isPaid)
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    stop.abort(new Error('the till was closed'))
    await expect(watching).rejects.toThrow('the till was closed')
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(0))
  })

  it('of a job that does not exist throws', async () => {
    const { hub } = networked(pos)
    await expect(hub.watch(crypto.randomUUID()).next()).rejects.toMatchObject({ code: 'job-not-found' })
  })
})
