import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { watchJob } from '../../../src/job/watch-job.ts'
import { PING_EVERY } from '../../../src/job/watch-link.ts'
import { objectOf } from '../../support/jobs/job.ts'
import { iterate, useWatchedJob } from '../../support/jobs/watched-job.ts'
import { LONGEST_WATCH } from '../../../src/job/job-snapshot.ts'

const { job, watch, watchers, pull, cutOff, fetchAs, withFault } = useWatchedJob()

describe('a watch that a deploy cuts off', () => {
  it('goes on, and misses no change in between', async () => {
    const next = iterate(await watch())
    const waiting = next()
    await cutOff()
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
    expect(await watchers()).toBe(1)
  })

  it('goes on even if its socket only reports an error', async () => {
    const sockets: WebSocket[] = []
    fetchAs(async (ask) => {
      const response = await ask()
      if (response.webSocket) sockets.push(response.webSocket)
      return response
    })
    const next = iterate(await watch())
    const waiting = next()
    sockets[0]?.dispatchEvent(new Event('error'))
    await vi.waitFor(() => expect(sockets).toHaveLength(2))
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('reports nothing twice', async () => {
    const next = iterate(await watch())
    await pull('PENDING', { stage: { is: 'underway', patience: 86_400_000 } })
    expect(await next()).toMatchObject({ job: { status: 'PENDING' } })
    const waiting = next()
    await cutOff()
    await vi.waitFor(async () => expect(await watchers()).toBe(1))
    await pull('SUCCESS')
    expect(await waiting).toMatchObject({ job: { status: 'SUCCESS' } })
  })

  it('ends when its signal aborts in the pause, and leaves no timer behind', async () => {
    const begun = vi.spyOn(globalThis, 'setTimeout')
    const ended = vi.spyOn(globalThis, 'clearTimeout')
    const pings = vi.spyOn(globalThis, 'setInterval')
    const endedPings = vi.spyOn(globalThis, 'clearInterval')
    vi.spyOn(Math, 'random').mockReturnValue(0.123)
    const next = iterate(await watch())
    const waiting = next()
    await cutOff()
    const timerOf = (time: number): unknown =>
      begun.mock.results[begun.mock.calls.findIndex(([, ms]) => ms === time)]?.value
    const [pause, whole] = [100 * (0.5 + 0.123), LONGEST_WATCH]
    await vi.waitFor(() => expect(timerOf(pause)).toBeDefined())
    job.stop.abort()
    expect(await waiting).toBeNull()
    expect(await watchers()).toBe(0)
    for (const time of [pause, whole]) expect(ended).toHaveBeenCalledWith(timerOf(time))
    const own = pings.mock.results.filter((_, place) => pings.mock.calls[place]?.[1] === PING_EVERY)
    expect(own).toHaveLength(1)
    expect(endedPings).toHaveBeenCalledWith(own[0]?.value)
  })
})

it('a watch that cannot go on ends, and is logged once', async () => {
  const { setTimeout: later } = globalThis
  const next = iterate(await watch())
  const waiting = next()
  const object = objectOf(job.id)
  const pauses: number[] = []
  vi.spyOn(Math, 'random').mockReturnValue(0.25)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: () => void,
    ms: number,
    ...rest: unknown[]
  ) => {
    pauses.push(ms)
    return later(run, ms / 100, ...rest)
  }) as typeof setTimeout)
  withFault('The object is broken.')
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await cutOff(object)
  expect(await waiting).toBeNull()
  // Three quarters of each pause: the random spread is from one half to one and a half, so that not all
  // return at once.
  expect(pauses).toEqual(expect.arrayContaining([75, 375, 750, 1500, 3750, 7500, 15_000]))
  const lost = logged.mock.calls.filter(([line]) => (line as { job?: string }).job === job.id)
  expect(lost).toMatchObject([
    [{ event: 'job.watch-lost', error: expect.stringContaining('The object is broken.') as string }],
  ])
})

it('a job that its object does not have is not watched, and not read again', async () => {
  fetchAs(() => Promise.resolve(new Response(null, { status: 404 })))
  expect(await watchJob(env, { id: job.id }, job.stop.signal)).toBeNull()
})

it('a watch of a broken object fails', async () => {
  withFault('Something else went wrong.')
  await expect(watch()).rejects.toThrow('Something else went wrong.')
})
