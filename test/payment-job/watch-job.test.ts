import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobSnapshot } from '../../src/payment-job/job-snapshot.ts'
import { type JobWatch, watchJob } from '../../src/payment-job/watch-job.ts'
import { PING_EVERY } from '../../src/payment-job/watch-link.ts'
import { PING, PURGED } from '../../src/payment-job/watchers.ts'
import { LONGEST_WATCH, MOST_CUSTOMERS, MOST_WATCHERS } from '../../src/payment-job/watch-limits.ts'
import { createJob, makePos, readJob, tokenFor } from '../support/hub.ts'
import { RETENTION, objectOf, stored } from '../support/job.ts'
import { receiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'

let id: string
let pos: string
let token: string
let stop: AbortController
beforeEach(async () => {
  receiver()
  const shop = await makePos()
  pos = shop.id
  token = await tokenFor(shop)
  id = (await createJob(token)).paymentJob
  stop = new AbortController()
})
afterEach(() => {
  stop.abort()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The sockets that the object's watchers have, as it has them itself. */
const insideOf = <Value>(look: (sockets: WebSocket[]) => Value, object = objectOf(id)): Promise<Value> =>
  runInDurableObject(object, (_, ctx) =>
    look(ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)),
  )
const watchers = () => insideOf((sockets) => sockets.length)

const watch = async (as: { pos?: string } = { pos }, signal = stop.signal): Promise<JobWatch> => {
  const found = await watchJob(env, { id, ...as }, signal)
  if (found?.is !== 'watching') throw new Error(`the job is not watched: ${JSON.stringify(found)}`)
  return found
}
const iterate = ({ changes }: JobWatch) => {
  const iterator = changes[Symbol.asyncIterator]()
  return async (): Promise<JobSnapshot | null> => {
    const { done, value } = await iterator.next()
    return done ? null : value
  }
}
const pull = (status: 'PENDING' | 'SUCCESS', totals: object = {}) =>
  objectOf(id).endPull(
    { id: crypto.randomUUID(), reason: 'return' },
    {
      answer: {
        is: 'observed',
        status,
        paid: status === 'SUCCESS' ? 1250 : 0,
        expiresAt: null,
        ...totals,
      },
      stopped: false,
    },
  )
/** Cuts all watchers off, as a deploy does. */
const cutOff = (object = objectOf(id)) =>
  insideOf((sockets) => sockets.forEach((socket) => socket.close(1012)), object)

describe('who watches a job', () => {
  it('gets it as it stands, and then as it stands after each change', async () => {
    const watched = await watch()
    const next = iterate(watched)
    expect(watched).toMatchObject({ isLive: true, now: { pos, isFinal: false, job: { status: 'PENDING' } } })
    await pull('PENDING')
    expect((await next())?.job.payments.steps).toMatchObject([{ action: 'Start' }, { action: 'Return' }])
    await pull('SUCCESS')
    expect(await next()).toMatchObject({ isFinal: true, job: { status: 'SUCCESS', amountDue: '0.00' } })
    await pull('SUCCESS', { refunded: 500 })
    expect(await next()).toMatchObject({ isFinal: true, job: { amountRefunded: '5.00' } })
  })

  it('gets what a read shows, byte for byte', async () => {
    await pull('SUCCESS', { refunded: 500 })
    const { now } = await watch()
    expect(JSON.stringify(now.job)).toBe(JSON.stringify(await readJob(token, id)))
  })

  it('is told what stage a payment is in that is under way', async () => {
    await pull('PENDING', { stage: { is: 'underway', patience: 86_400_000 } })
    expect((await watch()).now).toMatchObject({ stage: 'underway', isFinal: false })
  })

  it('is told also when the object was put to rest in between, which keeps the socket', async () => {
    const next = iterate(await watch())
    await evictDurableObject(objectOf(id))
    expect(await watchers()).toBe(1)
    await evictDurableObject(objectOf(id))
    await pull('SUCCESS')
    expect(await next()).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('is not told of what nobody sees: a report that was delivered, a timer', async () => {
    await pull('PENDING')
    const told: unknown[] = []
    const sockets = await env.PAYMENT_JOB.getByName(id).fetch('https://job/', {
      headers: { upgrade: 'websocket' },
    })
    sockets.webSocket?.addEventListener('message', ({ data }) => void told.push(data))
    sockets.webSocket?.accept()
    await objectOf(id).resend()
    await objectOf(id).wake()
    await pull('SUCCESS')
    await eventually(() => expect(told).toHaveLength(2))
    sockets.webSocket?.close()
  })

  it('gets the newest state alone when it was slow, and all steps with it', async () => {
    const next = iterate(await watch())
    await pull('PENDING')
    await pull('SUCCESS')
    await eventually(async () => expect((await stored(id)).status).toBe('SUCCESS'))
    let last = await next()
    while (last?.job.status !== 'SUCCESS') last = await next()
    expect(last.job.payments.steps).toHaveLength(3)
  })
})

describe('a job that is not there', () => {
  it.each([
    ['an unknown id', {}, () => crypto.randomUUID()],
    ["another point of sale's", { pos: 'another' }, () => id],
  ])('is not watched: %s', async (_, as, idOf) => {
    expect(await watchJob(env, { id: idOf(), ...as }, stop.signal)).toBeNull()
    expect(await watchers()).toBe(0)
  })

  it('writes nothing for an unknown id', async () => {
    const unknown = crypto.randomUUID()
    await watchJob(env, { id: unknown }, stop.signal)
    const kept = await runInDurableObject(objectOf(unknown), async (_, { storage }) => [
      ...storage.kv.list(),
      await storage.getAlarm(),
    ])
    expect(kept).toEqual([null])
  })

  it('answers a plain request by saying what it wants', async () => {
    expect((await objectOf(id).fetch('https://job/')).status).toBe(426)
  })
})

describe('the watchers of a job', () => {
  const crowd = (count: number, as: { pos?: string }) =>
    Promise.all(Array.from({ length: count }, () => watch(as)))

  it('are 250 at most: the next one is refused, until one has gone', async () => {
    const first = new AbortController()
    await watch({ pos }, first.signal)
    await crowd(MOST_WATCHERS - 1, { pos })
    expect(await watchJob(env, { id, pos }, stop.signal)).toEqual({ is: 'too-many' })
    expect((await readJob(token, id)).status).toBe('PENDING')
    first.abort()
    await eventually(() => watch())
    expect(await watchers()).toBe(MOST_WATCHERS)
  })

  it('are 200 customers at most: there is always room for the point of sale', async () => {
    await crowd(MOST_CUSTOMERS, {})
    expect(await watchJob(env, { id }, stop.signal)).toEqual({ is: 'too-many' })
    expect((await watch()).isLive).toBe(true)
  })

  it('of the point of sale leave the customers their room', async () => {
    await crowd(MOST_CUSTOMERS, { pos })
    expect((await watch({})).isLive).toBe(true)
  })

  it('all hear of a change', async () => {
    const all = (await crowd(50, {})).map(iterate)
    await pull('SUCCESS')
    const heard = await Promise.all(all.map((next) => next()))
    expect(new Set(heard.map((snapshot) => snapshot?.job.status))).toEqual(new Set(['SUCCESS']))
  })

  it('are let go after eight hours, whatever their Worker does', async () => {
    const watched = await env.PAYMENT_JOB.getByName(id).fetch('https://job/', {
      headers: { upgrade: 'websocket' },
    })
    const closed = new Promise((resolve) => watched.webSocket?.addEventListener('close', resolve))
    watched.webSocket?.accept()
    vi.setSystemTime(Date.now() + LONGEST_WATCH + 61_000)
    await pull('SUCCESS')
    await closed
    expect(await watchers()).toBe(0)
  })
})

it('watchers who are let go after eight hours make room at once', async () => {
  const open = () => objectOf(id).fetch('https://job/', { headers: { upgrade: 'websocket' } })
  const crowd = await Promise.all(Array.from({ length: MOST_CUSTOMERS }, open))
  for (const { webSocket } of crowd) webSocket?.accept()
  expect((await open()).status).toBe(429)
  vi.setSystemTime(Date.now() + LONGEST_WATCH + 61_000)
  const { status, webSocket } = await open()
  webSocket?.accept()
  expect(status).toBe(101)
  webSocket?.close()
})

describe('a watch ends', () => {
  it('when its signal aborts', async () => {
    const next = iterate(await watch())
    const waiting = next()
    stop.abort()
    expect(await waiting).toBeNull()
    await eventually(async () => expect(await watchers()).toBe(0))
  })

  it('when its signal has aborted before it began', async () => {
    stop.abort()
    await expect(watch()).rejects.toThrow('did not answer in time')
    await eventually(async () => expect(await watchers()).toBe(0))
  })

  it('when who reads the changes stops reading', async () => {
    const { changes } = await watch()
    await pull('SUCCESS')
    for await (const _ of changes) break
    await eventually(async () => expect(await watchers()).toBe(0))
  })

  it('when the job is purged', async () => {
    await pull('SUCCESS')
    // A job whose report waits is not purged.
    await eventually(async () => expect((await stored(id)).reports).toMatchObject([{ state: 'delivered' }]))
    const next = iterate(await watch())
    vi.setSystemTime(Date.now() + RETENTION + 3_600_000)
    await runDurableObjectAlarm(objectOf(id))
    expect(await objectOf(id).read()).toBeNull()
    let last = await next()
    while (last !== null) last = await next()
    expect(await watchers()).toBe(0)
  })
})

describe('a watch that a deploy cuts off', () => {
  it('goes on, and misses no change that came in between', async () => {
    const next = iterate(await watch())
    const waiting = next()
    await cutOff()
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
    expect(await watchers()).toBe(1)
  })

  it('tells nothing twice', async () => {
    const next = iterate(await watch())
    const waiting = next()
    await cutOff()
    await eventually(async () => expect(await watchers()).toBe(1))
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('ends when its signal aborts in the pause', async () => {
    const next = iterate(await watch())
    const waiting = next()
    await cutOff()
    stop.abort()
    expect(await waiting).toBeNull()
    expect(await watchers()).toBe(0)
  })

  it('ends when the object has gone back to a release that cannot be watched', async () => {
    const next = iterate(await watch())
    const waiting = next()
    const object = objectOf(id)
    withoutFetch('Handler does not export a fetch() function.')
    await cutOff(object)
    expect(await waiting).toBeNull()
  })
})

/** Answers for the job's object when it is asked for a socket. `ask` asks the object itself. */
const fetchAs = (answer: (ask: () => Promise<Response>) => Promise<Response>) => {
  const { getByName } = env.PAYMENT_JOB
  vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name, options) => {
    const stub = getByName.call(env.PAYMENT_JOB, name, options)
    if (name !== id) return stub
    return new Proxy(stub, {
      get: (target, member) =>
        member === 'fetch'
          ? (...[url, init]: Parameters<typeof stub.fetch>) => answer(() => target.fetch(url, init))
          : Reflect.get(target, member),
    })
  })
}

/** As an object of a release before answers. */
const withoutFetch = (message: string) => fetchAs(() => Promise.reject(new Error(message)))

/** A socket whose other end is the test's, in place of the object's; later ones are the object's again. */
const ownSocket = () => {
  const { 0: client, 1: object } = new WebSocketPair()
  const closed = new Promise((resolve) => client.addEventListener('close', resolve))
  const heard: unknown[] = []
  object.addEventListener('message', ({ data }) => void heard.push(data))
  object.accept()
  let isTaken = false
  fetchAs((ask) => {
    if (isTaken) return ask()
    isTaken = true
    return Promise.resolve(new Response(null, { status: 101, webSocket: client }))
  })
  return { object, heard, closed }
}

describe('a watch whose object hangs', () => {
  /** The object is asked, and its answer comes only once `answer` is called. */
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

  it('is given up when its signal aborts, and hangs up on a socket that comes after all', async () => {
    const { answer, answered } = hanging()
    const watching = watch()
    stop.abort()
    await expect(watching).rejects.toThrow('did not answer in time')
    answer()
    await eventually(() => expect(answered).toHaveLength(1))
    await eventually(async () => expect(await watchers()).toBe(0))
  })

  it('is given up when its signal aborts before the object has told how the job stands', async () => {
    const { heard, object } = ownSocket()
    const gone = new Promise((resolve) => object.addEventListener('close', resolve))
    const watching = watch()
    stop.abort()
    await expect(watching).rejects.toThrow('did not answer in time')
    await gone
    expect(heard).toEqual([])
  })

  it('ends when its signal aborts while it is taken up again', async () => {
    const next = iterate(await watch())
    const waiting = next()
    const object = objectOf(id)
    const asked = vi.fn()
    fetchAs(() => {
      asked()
      return new Promise(() => {})
    })
    await cutOff(object)
    await eventually(() => expect(asked).toHaveBeenCalled())
    stop.abort()
    expect(await waiting).toBeNull()
  })

  it('is given up where an object that cannot be watched lets nobody read it either', async () => {
    const read = vi.fn(() => new Promise(() => {}))
    const fetch = () => Promise.reject(new Error('Handler does not export a fetch() function.'))
    const { getByName } = env.PAYMENT_JOB
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name, options) => {
      const stub = getByName.call(env.PAYMENT_JOB, name, options)
      if (name !== id) return stub
      return new Proxy(stub, {
        get: (target, member) => ({ fetch, read })[member as string] ?? Reflect.get(target, member),
      })
    })
    const watching = watch()
    await eventually(() => expect(read).toHaveBeenCalled())
    stop.abort()
    await expect(watching).rejects.toThrow('did not answer in time')
  })
})

describe('what a watch reads of its socket', () => {
  it('is read from the object instead where it says what only a newer release can read', async () => {
    const { object, closed } = ownSocket()
    const watching = watch()
    object.send(JSON.stringify({ version: 2, pos, job: {} }))
    expect(await watching).toMatchObject({ isLive: false, now: { pos, job: { status: 'PENDING' } } })
    object.close()
    await closed
  })

  it('counts also when the socket was closed right after it', async () => {
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

describe('a watch whose object is silent', () => {
  /** Half a minute takes no time here; other files' timers are left alone. */
  const quickPings = () => {
    const { setInterval: every } = globalThis
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) =>
      every(run, ms === PING_EVERY ? 40 : ms)) as typeof setInterval)
  }

  it('goes on while the platform answers for it, also when it was put to rest', async () => {
    quickPings()
    const next = iterate(await watch())
    const waiting = next()
    const socketBefore = await insideOf(([socket]) => socket?.deserializeAttachment() as number)
    await evictDurableObject(objectOf(id))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await insideOf(([socket]) => socket?.deserializeAttachment() as number)).toBe(socketBefore)
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('asks twice whether the object is there, and then leaves', async () => {
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

  it('is begun anew when nobody answers any more', async () => {
    quickPings()
    const next = iterate(await watch())
    const waiting = next()
    const since = await insideOf(([socket]) => socket?.deserializeAttachment() as number)
    await runInDurableObject(objectOf(id), (_, ctx) => ctx.setWebSocketAutoResponse())
    await eventually(async () =>
      expect(await insideOf(([socket]) => (socket?.deserializeAttachment() as number) > since)).toBe(true),
    )
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })
})

it('a watch that cannot be taken up again ends, and is logged once', async () => {
  const { setTimeout: later } = globalThis
  const next = iterate(await watch())
  const waiting = next()
  const object = objectOf(id)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number, ...rest: unknown[]) =>
    later(run, ms / 100, ...rest)) as typeof setTimeout)
  withoutFetch('The object is broken.')
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await cutOff(object)
  expect(await waiting).toBeNull()
  const lost = logged.mock.calls.filter(([line]) => (line as { job?: string }).job === id)
  expect(lost).toMatchObject([[{ event: 'job.watch-lost' }]])
})

describe('an object of a release that cannot be watched', () => {
  it.each([
    ['on the platform', 'Handler does not export a fetch() function.'],
    ['in these tests', 'PaymentJob exported by /src/index.ts does not define a `fetch()` method'],
  ])('gives the job as it stands, and no changes: %s', async (_, message) => {
    withoutFetch(message)
    const watched = await watch()
    expect(watched).toMatchObject({ isLive: false, now: { pos, job: { status: 'PENDING' } } })
    expect(await iterate(watched)()).toBeNull()
    expect(await watchJob(env, { id, pos: 'another' }, stop.signal)).toBeNull()
  })

  it('is not meant by another fault', async () => {
    withoutFetch('Something else went wrong.')
    await expect(watch()).rejects.toThrow('Something else went wrong.')
  })
})
