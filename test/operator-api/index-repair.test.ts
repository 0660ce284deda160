import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { repairPage } from '../../src/job-index/check-index.ts'
import { walkJobs } from '../../src/job-index/find-jobs.ts'
import type { JobRow } from '../../src/job/core/row.ts'
import { batchOfIds } from '../../src/job-index/job-directory.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { createJob, makePos, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { operate } from '../support/hub/operator.ts'
import { searchAudit } from './audit-entries.ts'

type Page = { jobs: number; wrong: string[]; wrongHours: string[]; next: string | null }

/** A day on which no other file has jobs. */
const day = '2034-03-04'
const START = Date.parse(`${day}T12:00:00Z`)

let token: string
beforeEach(async () => {
  vi.setSystemTime(START)
  token = await tokenFor(await makePos())
})

function statusOf(id: string) {
  return env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
}
async function createdAt(id: string): Promise<number> {
  return (
    Number(await env.DB.prepare('select created from jobs where id = ?').bind(id).first('created')) / 1000
  )
}
async function indexed(): Promise<string> {
  const { paymentJob } = await createJob(token)
  await expect.poll(() => statusOf(paymentJob), { timeout: 15_000 }).toBe('PENDING')
  return paymentJob
}

it('knows the days on which jobs were created', async () => {
  await indexed()
  expect(await (await operate('GET', '/index/days')).json()).toEqual({
    days: expect.arrayContaining([day]) as string[],
  })
})

it('finds the jobs whose row is missing or wrong, and only those', async () => {
  const [right, missing, wrong] = await Promise.all([indexed(), indexed(), indexed()])
  await env.DB.prepare('delete from jobs where id = ?').bind(missing).run()
  await env.DB.prepare("update jobs set status = 'SUCCESS' where id = ?").bind(wrong).run()
  const page = await (await operate('GET', `/index/${day}/verify`)).json<Page>()
  expect(page.wrong.toSorted()).toEqual([missing, wrong].toSorted())
  expect(page.wrong).not.toContain(right)
})

it('finds rows of deleted jobs and rows that the directory lacks; a rebuild repairs both', async () => {
  const [gone, unlisted] = await Promise.all([indexed(), indexed()])
  await operate('POST', `/index/${day}/rebuild`)
  await runInDurableObject(env.PAYMENT_JOB.getByName(gone), (_, { storage }) => storage.deleteAll())
  await evictDurableObject(env.PAYMENT_JOB.getByName(gone))
  const directory = env.JOB_DIRECTORY.getByName(day)
  await runInDurableObject(directory, (_, { storage }) => {
    for (const [key, batch] of storage.kv.list<{ ids: string[] }>())
      storage.kv.put(key, { ...batch, ids: batch.ids.filter((id) => id !== unlisted) })
  })
  const verify = async () => (await operate('GET', `/index/${day}/verify`)).json<Page>()
  expect((await verify()).wrong.toSorted()).toEqual([gone, unlisted].toSorted())
  await operate('POST', `/index/${day}/rebuild`)
  expect((await verify()).wrong).toEqual([])
  expect(await statusOf(gone)).toBeNull()
  expect(await directory.missing([unlisted])).toEqual([])
})

it('counts each job once, however often the directory has it', async () => {
  const id = await indexed()
  const count = async () => (await (await operate('GET', `/index/${day}/verify`)).json<Page>()).jobs
  const before = await count()
  await env.JOB_DIRECTORY.getByName(day).add([id, id])
  expect(await count()).toBe(before)
})

it('is rebuilt from the jobs when all of it is lost, and is right then', async () => {
  const id = await indexed()
  await env.DB.prepare('delete from jobs').run()
  const { jobs, next } = await (await operate('POST', `/index/${day}/rebuild`)).json<Page>()
  expect(jobs).toBeGreaterThan(0)
  expect(next).toBeNull()
  expect(await statusOf(id)).toBe('PENDING')
  const { entries } = await searchAudit({ action: 'index.rebuild', subject: day })
  expect(entries[0]).toMatchObject({ result: 'done', before: { wrong: jobs }, after: { wrong: 0 } })
  expect(await (await operate('GET', `/index/${day}/verify`)).json()).toEqual({
    jobs,
    wrong: [],
    wrongHours: [],
    next: null,
  })
})

/** A search of all jobs from that day on. */
const wholeDay = { keys: [], pos: null, filter: {}, from: START * 1000, to: Number.MAX_SAFE_INTEGER }

/** Walks through a day as the CLI does, page by page, and adds up the answers. */
async function walk(operation: 'verify' | 'rebuild') {
  const sum = { jobs: 0, pages: 0, wrong: 0 }
  for (let after: string | null = ''; after !== null; sum.pages++) {
    const query: string = after && `?after=${encodeURIComponent(after)}`
    const path = `/index/${day}/${operation}${query}`
    const page = await (await operate(operation === 'verify' ? 'GET' : 'POST', path)).json<Page>()
    sum.jobs += page.jobs
    sum.wrong += page.wrong.length + page.wrongHours.length
    after = page.next
  }
  return sum
}

it('counts each job once, even while it writes the rows of a day of several pages', async () => {
  await indexed()
  // This many deleted jobs fill a page. After that the hub looks through the rows.
  const gone = Array.from({ length: 250 }, () => crypto.randomUUID())
  await runInDurableObject(env.JOB_DIRECTORY.getByName(day), (_, { storage }) =>
    storage.kv.put('z', batchOfIds.write({ ids: gone })),
  )
  const { jobs } = await walk('verify')
  await env.DB.prepare('delete from jobs').run()
  for (const operation of ['rebuild', 'rebuild', 'verify'] as const)
    expect(await walk(operation)).toEqual({ jobs, pages: 2, wrong: 0 })
  await runInDurableObject(env.JOB_DIRECTORY.getByName(day), (_, { storage }) => storage.kv.delete('z'))
})

it.each([
  ['before the check', () => walk('rebuild')],
  [
    'after the check has read it',
    async (row: JobRow) => {
      const nothing = { jobs: 0, unreadable: [], orphans: [], unlisted: [], next: null }
      await repairPage(env, { ...nothing, wrong: [row.id], found: [row] })
    },
  ],
])('keeps the figures of a job that was purged %s, although no queue message said so', async (_, repair) => {
  const { paymentJob: id, payUrl } = await createJob(token)
  await payAs(payUrl, 'paid')
  await expect.poll(() => statusOf(id), { timeout: 15_000 }).toBe('SUCCESS')
  const sums = (purged: string) =>
    env.DB.prepare(`select total(success) as success, total(paid) as paid from job_counts
        where hour >= ? and purged in (${purged})`)
      .bind(START / HOUR)
      .first<{ success: number; paid: number }>()
  await walk('rebuild')
  const [all, purged] = [await sums('0, 1'), await sums('1')]
  let row: JobRow | undefined
  for await (const rows of walkJobs(env, wholeDay)) row ??= rows.find((one) => one.id === id)
  await runInDurableObject(env.PAYMENT_JOB.getByName(id), (_object, { storage }) => storage.deleteAll())
  await evictDurableObject(env.PAYMENT_JOB.getByName(id))
  if (row) await repair(row)
  expect(await statusOf(id)).toBeNull()
  expect(await sums('0, 1')).toEqual(all)
  expect((await sums('1'))?.success).toBe(Number(purged?.success) + 1)
  expect(await walk('verify')).toMatchObject({ wrong: 0 })
})

it('is right for a job after a step without news, and for one that was paid', async () => {
  receiver()
  const [quiet, paid] = await Promise.all([createJob(token), createJob(token)])
  await expect.poll(() => statusOf(quiet.paymentJob), { timeout: 5000 }).toBe('PENDING')
  // The customer came back without a result: the job has another step, and the row stays.
  await send(`/return/${quiet.paymentJob}`)
  await payAs(paid.payUrl, 'paid')
  await expect.poll(() => statusOf(paid.paymentJob), { timeout: 5000 }).toBe('SUCCESS')
  const row = await env.DB.prepare('select updated, sequence from jobs where id = ?')
    .bind(quiet.paymentJob)
    .first<{ updated: number; sequence: number }>()
  const job = await stored(quiet.paymentJob)
  expect(row?.updated).toBeLessThan(job.updated)
  const page = await (await operate('GET', `/index/${day}/verify`)).json<Page>()
  expect(page.wrong).not.toContain(quiet.paymentJob)
  expect(page.wrong).not.toContain(paid.paymentJob)
})

it('finds a row with any difference, and a rebuild repairs it', async () => {
  const changes = [
    'sequence = sequence + 9',
    'updated = updated + 1',
    "order_number = 'other'",
    'given_up_at = 1',
    'reference = null',
    'amount = amount + 1, sequence = sequence + 9',
  ]
  const ids = await Promise.all(changes.map(indexed))
  for (const [place, change] of changes.entries())
    await env.DB.prepare(`update jobs set ${change} where id = ?`).bind(ids[place]).run()
  const wrong = async () => (await (await operate('GET', `/index/${day}/verify`)).json<Page>()).wrong
  expect(await wrong()).toEqual(expect.arrayContaining(ids))
  await operate('POST', `/index/${day}/rebuild`)
  expect(await wrong()).toEqual([])
})

it('finds the hours whose figures differ from their rows, and a rebuild counts them again', async () => {
  const id = await indexed()
  const hour = `${new Date(await createdAt(id)).toISOString().slice(0, 13)}:00:00Z`
  const sums = () =>
    env.DB.prepare(
      `select sum(created) as made, (select count(*) from jobs where created > ?) as rows
        from job_counts where purged = 0 and hour > ?`,
    )
      .bind((START - DAY) * 1000, (START - DAY) / HOUR)
      .first<{ made: number; rows: number }>()
  await operate('POST', `/index/${day}/rebuild`)
  await env.DB.prepare('update job_counts set created = created + 1 where hour = ?')
    .bind(Date.parse(hour) / 3_600_000)
    .run()
  const wrong = await (await operate('GET', `/index/${day}/verify`)).json<Page>()
  expect(wrong).toMatchObject({ wrong: [], wrongHours: [hour] })
  await operate('POST', `/index/${day}/rebuild`)
  expect(await (await operate('GET', `/index/${day}/verify`)).json()).toMatchObject({ wrongHours: [] })
  const { made, rows } = (await sums()) ?? { made: 0, rows: -1 }
  expect(made).toBe(rows)
})

it('has nothing on a day without jobs', async () => {
  expect(await (await operate('GET', '/index/2020-01-01/verify')).json()).toEqual({
    jobs: 0,
    wrong: [],
    wrongHours: [],
    next: null,
  })
})

it('continues after the given batch, page by page', async () => {
  const directory = env.JOB_DIRECTORY.getByName('2021-05-05')
  const idsOf = (batch: number) =>
    Array.from({ length: 150 }, (_, at) => `${batch}0000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
  for (const batch of [1, 2, 3]) await directory.add(idsOf(batch))
  const first = await (await operate('GET', '/index/2021-05-05/verify')).json<Page>()
  expect(first.next).not.toBeNull()
  const rest = await directory.page(first.next, 200)
  expect(rest).toMatchObject({ next: null })
  expect(rest.ids).toHaveLength(150)
})
