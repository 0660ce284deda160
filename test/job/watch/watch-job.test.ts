import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { watchJob } from '../../../src/job/watch-job.ts'
import { readJob } from '../../support/hub/hub.ts'
import { objectOf, RETENTION, stored, untilNothingIsDue } from '../../support/jobs/job.ts'
import { iterate, useWatchedJob } from '../../support/jobs/watched-job.ts'

const { job, watch, watchers, pull } = useWatchedJob()

describe('a client that watches a job', () => {
  it('gets the job as it is, and again after each change', async () => {
    const watched = await watch()
    const next = iterate(watched)
    expect(watched).toMatchObject({
      isLive: true,
      now: { pos: job.pos, isFinal: false, job: { status: 'PENDING' } },
    })
    await pull('PENDING')
    expect((await next())?.job.payments.steps).toMatchObject([{ action: 'Start' }, { action: 'Return' }])
    await pull('SUCCESS')
    expect(await next()).toMatchObject({ isFinal: true, job: { status: 'SUCCESS', amountDue: '0.00' } })
    await pull('SUCCESS', { refunded: 500 })
    expect(await next()).toMatchObject({ isFinal: true, job: { amountRefunded: '5.00' } })
  })

  it('gets the same bytes as a read', async () => {
    await pull('SUCCESS', { refunded: 500 })
    const { now } = await watch()
    expect(JSON.stringify(now.job)).toBe(JSON.stringify(await readJob(job.token, job.id)))
  })

  it('learns the stage of a payment that is under way', async () => {
    await pull('PENDING', { stage: { is: 'underway', patience: 86_400_000 } })
    expect((await watch()).now).toMatchObject({ stage: 'underway', isFinal: false })
  })

  it('learns of a change even after the object hibernated, which keeps the socket', async () => {
    const next = iterate(await watch())
    await evictDurableObject(objectOf(job.id))
    expect(await watchers()).toBe(1)
    await evictDurableObject(objectOf(job.id))
    await pull('SUCCESS')
    expect(await next()).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('does not learn of invisible changes: a delivered report, a timer', async () => {
    await pull('PENDING')
    const messages: unknown[] = []
    const sockets = await env.PAYMENT_JOB.getByName(job.id).fetch('https://job/', {
      headers: { upgrade: 'websocket' },
    })
    sockets.webSocket?.addEventListener('message', ({ data }) => void messages.push(data))
    sockets.webSocket?.accept()
    await objectOf(job.id).tell({ do: 'record-row', entry: 1, digest: 'd1' })
    await objectOf(job.id).wake()
    await pull('SUCCESS')
    await vi.waitFor(() => expect(messages).toHaveLength(2))
    sockets.webSocket?.close()
  })

  it('gets only the newest state if it was slow, with all steps', async () => {
    const next = iterate(await watch())
    await pull('PENDING')
    await pull('SUCCESS')
    await vi.waitFor(async () => expect((await stored(job.id)).status).toBe('SUCCESS'))
    let last = await next()
    while (last?.job.status !== 'SUCCESS') last = await next()
    expect(last.job.payments.steps).toHaveLength(3)
  })
})

describe('a job that does not exist', () => {
  it.each([
    ['an unknown id', {}, () => crypto.randomUUID()],
    ["another point of sale's", { pos: 'another' }, () => job.id],
  ])('is not watched: %s', async (_, as, idOf) => {
    expect(await watchJob(env, { id: idOf(), ...as }, job.stop.signal)).toBeNull()
    expect(await watchers()).toBe(0)
  })

  it('writes nothing for an unknown id', async () => {
    const unknown = crypto.randomUUID()
    await watchJob(env, { id: unknown }, job.stop.signal)
    const kept = await runInDurableObject(objectOf(unknown), async (_, { storage }) => [
      ...storage.kv.list(),
      await storage.getAlarm(),
    ])
    expect(kept).toEqual([null])
  })

  it('answers a plain request with the request that it needs', async () => {
    expect((await objectOf(job.id).fetch('https://job/')).status).toBe(426)
  })
})

describe('a watch ends', () => {
  it('when its signal aborts', async () => {
    const next = iterate(await watch())
    const waiting = next()
    job.stop.abort()
    expect(await waiting).toBeNull()
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('when its signal has aborted before it began', async () => {
    job.stop.abort()
    await expect(watch()).rejects.toThrow('did not answer in time')
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('when the reader of the changes stops', async () => {
    const { changes } = await watch()
    await pull('SUCCESS')
    for await (const _ of changes) break
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('when the job is purged', async () => {
    await pull('SUCCESS')
    // A job with a waiting report is not purged.
    await untilNothingIsDue(job.id)
    const next = iterate(await watch())
    vi.setSystemTime(Date.now() + RETENTION + 3_600_000)
    await runDurableObjectAlarm(objectOf(job.id))
    expect(await objectOf(job.id).read()).toBeNull()
    let last = await next()
    while (last !== null) last = await next()
    expect(await watchers()).toBe(0)
  })
})
