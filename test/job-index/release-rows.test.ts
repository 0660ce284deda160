import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import type { HubHealth } from '../../src/contract/hub-health.ts'
import { bringRows } from '../../src/job-index/release-rows.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { answerTo } from '../support/hub/operator.ts'

/** Two days on which no other file has jobs. */
const DAYS = ['2037-03-04', '2037-03-06']
const WAIT = { timeout: 20_000, interval: 100 }

const paidOf = (id: string) => env.DB.prepare('select paid from jobs where id = ?').bind(id).first('paid')

async function jobOf(day: string): Promise<string> {
  vi.setSystemTime(Date.parse(`${day}T12:00:00Z`))
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  await vi.waitFor(async () => expect(await paidOf(paymentJob)).toBe(0), WAIT)
  // As if an earlier release had made another row of the job.
  await env.DB.prepare('update jobs set paid = 7 where id = ?').bind(paymentJob).run()
  return paymentJob
}

beforeEach(() => env.TOKENS.delete('index-edition'))

it('after a deploy the hub writes the rows of all stored jobs again by itself, and its health says while it does', async () => {
  const jobs = [await jobOf('2037-03-04'), await jobOf('2037-03-06')]
  expect(await bringRows(env, Date.now())).toBe(DAYS[1])
  const { parts } = await answerTo<HubHealth>('GET', '/health')
  expect(parts.find(({ part }) => part === 'index')?.message).toContain('2037-03')
  await vi.waitFor(async () => expect(await Promise.all(jobs.map(paidOf))).toEqual([0, 0]), WAIT)
  for (const day of DAYS)
    expect(await answerTo('GET', `/index/${day}/verify`)).toMatchObject({ wrong: [], wrongHours: [] })
  await vi.waitFor(async () => expect(await bringRows(env, Date.now())).toBeNull(), WAIT)
})

it('does so once, and goes on where the queue lost the day in hand', async () => {
  const sent: unknown[] = []
  const SWEEPS = { send: async (body: unknown) => void sent.push(body) }
  const hub = { ...env, SWEEPS } as never
  const now = Date.now()
  const day = await bringRows(hub, now)
  await bringRows(hub, now + 60_000)
  expect(sent).toMatchObject([{ check: day }])
  expect(await bringRows(hub, now + 86_400_000)).toBe(day)
  expect(sent).toHaveLength(2)
})
