import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { PING_EVERY } from '../../../src/job/watch-link.ts'
import { PING, PURGED } from '../../../src/job/watchers.ts'
import { objectOf } from '../../support/jobs/job.ts'
import { iterate, useWatchedJob } from '../../support/jobs/watched-job.ts'

const { job, watch, watchers, insideOf, pull, cutOff, fetchAs, ownSocket } = useWatchedJob()

describe('a watch whose object hangs', () => {
  /** The object gets the question, and answers only once `answer` is called. */
  const hanging = () => {
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    const answered: Response[] = []
    fetchAs(async (ask) => {
      await promise
      const response = await ask()
      answered.push(response)
      return response
    })
    return { answer, answered }
  }

  it('ends when its signal aborts, and closes a socket that opens after all', async () => {
    const { answer, answered } = hanging()
    const watching = watch()
    job.stop.abort()
    await expect(watching).rejects.toThrow('did not answer in time')
    answer()
    await vi.waitFor(() => expect(answered).toHaveLength(1))
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('ends when its signal aborts before the object has sent the job', async () => {
    const { heard, object } = ownSocket()
    const gone = new Promise((resolve) => object.addEventListener('close', resolve))
    const watching = watch()
    job.stop.abort()
    await expect(watching).rejects.toThrow('did not answer in time')
    await gone
    expect(heard).toEqual([])
  })

  it('ends when its signal aborts while it connects again', async () => {
    const next = iterate(await watch())
    const waiting = next()
    const object = objectOf(job.id)
    const connected = vi.fn()
    fetchAs(() => {
      connected()
      return new Promise(() => {})
    })
    await cutOff(object)
    await vi.waitFor(() => expect(connected).toHaveBeenCalled())
    job.stop.abort()
    expect(await waiting).toBeNull()
  })
})

describe('what a watch reads of its socket', () => {
  it('is read from the object instead if only a newer release understands it', async () => {
    const { object, closed } = ownSocket()
    const watching = watch()
    object.send(JSON.stringify({ version: 2, pos: job.pos, job: {} }))
    expect(await watching).toMatchObject({ isLive: false, now: { pos: job.pos, job: { status: 'PENDING' } } })
    object.close()
    await closed
  })

  it('counts even if the socket was closed right after it', async () => {
    const { now } = await watch()
    const { object, closed } = ownSocket()
    object.send(JSON.stringify(now))
    const next = iterate(await watch())
    object.send(JSON.stringify({ ...now, job: { ...now?.job, amountPaid: '12.50' } }))
    object.close(PURGED)
    await closed
    expect(await next()).toMatchObject({ job: { amountPaid: '12.50' } })
    expect(await next()).toBeNull()
  })
})

it('a watch closes the socket of an object that this release does not understand, and reads the job without waiting', async () => {
  const { object } = ownSocket()
  const left = new Promise<CloseEvent>((resolve) => object.addEventListener('close', resolve))
  object.send('{"version":99}')
  expect(await watch()).toMatchObject({ isLive: false, now: { job: { status: 'PENDING' } } })
  expect((await left).code).toBe(1000)
})

describe('a watch whose object is silent', () => {
  /** Half a minute takes no time here; other files' timers do not change. */
  const quickPings = () => {
    const { setInterval: every } = globalThis
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) =>
      every(run, ms === PING_EVERY ? 40 : ms)) as typeof setInterval)
  }

  it('goes on while the platform answers for it, even while it hibernates', async () => {
    quickPings()
    const next = iterate(await watch())
    const waiting = next()
    const socketBefore = await insideOf(([socket]) => socket?.deserializeAttachment() as number)
    await evictDurableObject(objectOf(job.id))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await insideOf(([socket]) => socket?.deserializeAttachment() as number)).toBe(socketBefore)
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('asks twice whether the object still answers, and then ends', async () => {
    quickPings()
    const { now } = await watch()
    const { object, heard } = ownSocket()
    const left = new Promise<CloseEvent>((resolve) => object.addEventListener('close', resolve))
    object.send(JSON.stringify(now))
    const waiting = iterate(await watch())()
    expect((await left).code).toBe(1000)
    expect(heard).toEqual([PING, PING])
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('starts again when nothing answers any more', async () => {
    quickPings()
    const next = iterate(await watch())
    const waiting = next()
    const since = await insideOf(([socket]) => socket?.deserializeAttachment() as number)
    await runInDurableObject(objectOf(job.id), (_, ctx) => ctx.setWebSocketAutoResponse())
    await vi.waitFor(async () =>
      expect(await insideOf(([socket]) => (socket?.deserializeAttachment() as number) > since)).toBe(true),
    )
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })
})
