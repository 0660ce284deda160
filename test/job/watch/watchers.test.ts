import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { watchJob } from '../../../src/job/watch-job.ts'
import { readJob } from '../../support/hub/hub.ts'
import { objectOf } from '../../support/jobs/job.ts'
import { iterate, useWatchedJob } from '../../support/jobs/watched-job.ts'
import { LONGEST_WATCH, MOST_CUSTOMERS, MOST_WATCHERS } from '../../../src/job/job-snapshot.ts'

const { job, watch, watchers, pull } = useWatchedJob()

describe('the watchers of a job', () => {
  const crowd = (count: number, as: { pos?: string }) =>
    Promise.all(Array.from({ length: count }, () => watch(as)))

  it('are 250 at most: the next one is refused, until one has gone', async () => {
    const first = new AbortController()
    await watch({ pos: job.pos }, first.signal)
    await crowd(MOST_WATCHERS - 1, { pos: job.pos })
    expect(await watchJob(env, { id: job.id, pos: job.pos }, job.stop.signal)).toEqual({ is: 'too-many' })
    expect((await readJob(job.token, job.id)).status).toBe('PENDING')
    first.abort()
    await vi.waitFor(() => watch())
    expect(await watchers()).toBe(MOST_WATCHERS)
  })

  it('are 200 customers at most: there is always room for the point of sale', async () => {
    await crowd(MOST_CUSTOMERS, {})
    expect(await watchJob(env, { id: job.id }, job.stop.signal)).toEqual({ is: 'too-many' })
    expect((await watch()).isLive).toBe(true)
  })

  it('all hear of a change', async () => {
    const all = (await crowd(50, {})).map(iterate)
    await pull('SUCCESS')
    const heard = await Promise.all(all.map((next) => next()))
    expect(new Set(heard.map((snapshot) => snapshot?.job.status))).toEqual(new Set(['SUCCESS']))
  })

  it('are dismissed after eight hours, whatever their Worker does', async () => {
    const watched = await env.PAYMENT_JOB.getByName(job.id).fetch('https://job/', {
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

it('dismissed watchers, a minute after their eight hours, make room at once', async () => {
  const start = Date.now()
  vi.setSystemTime(start)
  const open = () => objectOf(job.id).fetch('https://job/', { headers: { upgrade: 'websocket' } })
  const crowd = await Promise.all(Array.from({ length: MOST_CUSTOMERS }, open))
  for (const { webSocket } of crowd) webSocket?.accept()
  expect((await open()).status).toBe(429)
  vi.setSystemTime(start + LONGEST_WATCH + 60_000)
  expect((await open()).status).toBe(429)
  vi.setSystemTime(start + LONGEST_WATCH + 60_001)
  const { status, webSocket } = await open()
  webSocket?.accept()
  expect(status).toBe(101)
  webSocket?.close()
})
