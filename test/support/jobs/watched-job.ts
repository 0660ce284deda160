import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach } from 'vitest'
import type { JobSnapshot } from '../../../src/job/job-snapshot.ts'
import { type JobWatch, watchJob } from '../../../src/job/watch-job.ts'
import { createJob, makePos, tokenFor } from '../hub/hub.ts'
import { objectOf, playObject, recordAnswer } from './job.ts'
import { receiver } from '../shops/receiver.ts'

/** The snapshots of a watch, one at a time; null at its end. */
export function iterate({ changes }: JobWatch) {
  const iterator = changes[Symbol.asyncIterator]()
  return async (): Promise<JobSnapshot | null> => {
    const { done, value } = await iterator.next()
    return done ? null : value
  }
}

/** Gives each test of a file a new job to watch. All watches end with the test. */
export function useWatchedJob() {
  const job = { id: '', pos: '', token: '', stop: new AbortController() }
  beforeEach(async () => {
    receiver()
    const shop = await makePos()
    const token = await tokenFor(shop)
    const { paymentJob: id } = await createJob(token)
    Object.assign(job, { id, pos: shop.id, token, stop: new AbortController() })
  })
  afterEach(() => job.stop.abort())

  /** Looks at the watchers' sockets inside the object. */
  const insideOf = <Value>(
    look: (sockets: WebSocket[]) => Value,
    object = objectOf(job.id),
  ): Promise<Value> =>
    runInDurableObject(object, (_, ctx) =>
      look(ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)),
    )

  /** Answers a request for a socket instead of the job's object. `ask` calls the object itself. */
  const fetchAs = (answer: (ask: () => Promise<Response>) => Promise<Response>) =>
    playObject(job.id, (stub) => ({
      fetch: (...[url, init]: Parameters<typeof stub.fetch>) => answer(() => stub.fetch(url, init)),
    }))

  return {
    job,
    insideOf,
    watchers: () => insideOf((sockets) => sockets.length),
    watch: async (as: { pos?: string } = { pos: job.pos }, signal = job.stop.signal): Promise<JobWatch> => {
      const found = await watchJob(env, { id: job.id, ...as }, signal)
      if (found?.is !== 'watching') throw new Error(`the job is not watched: ${JSON.stringify(found)}`)
      return found
    },
    /** The PSP answers a question. `totals` are in minor units. */
    pull: (status: 'PENDING' | 'SUCCESS', totals: object = {}) =>
      recordAnswer(
        job.id,
        {
          is: 'observed',
          status,
          paid: status === 'SUCCESS' ? 1250 : 0,
          expiresAt: null,
          ...totals,
        },
        'return',
      ),
    /** Cuts off all watchers, as a deploy does. */
    cutOff: (object = objectOf(job.id)) =>
      insideOf((sockets) => sockets.forEach((socket) => socket.close(1012)), object),
    fetchAs,
    /** Makes the object fail with an error. */
    withFault: (message: string) => fetchAs(() => Promise.reject(new Error(message))),
    /** Gives the next watcher a socket whose other end belongs to the test. */
    ownSocket: () => {
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
    },
  }
}
