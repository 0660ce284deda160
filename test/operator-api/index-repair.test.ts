import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { createJob, makePos, tokenFor } from '../support/hub.ts'
import { operate } from '../support/operator.ts'

type Page = { jobs: number; wrong: string[]; next: string | null }

let token: string
let day: string
beforeAll(async () => {
  token = await tokenFor(await makePos())
  day = new Date().toISOString().slice(0, 10)
})

const statusOf = (id: string) =>
  env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
const indexed = async (): Promise<string> => {
  const { paymentJob } = await createJob(token)
  await expect.poll(() => statusOf(paymentJob), { timeout: 15_000 }).toBe('PENDING')
  return paymentJob
}

it('knows the days that jobs were created on', async () => {
  await indexed()
  expect(await (await operate('GET', '/index/days')).json()).toEqual({ days: [day] })
})

it('finds the jobs whose row is missing or wrong, and no others', async () => {
  const [right, missing, wrong] = await Promise.all([indexed(), indexed(), indexed()])
  await env.DB.prepare('delete from jobs where id = ?').bind(missing).run()
  await env.DB.prepare("update jobs set status = 'SUCCESS' where id = ?").bind(wrong).run()
  const page = await (await operate('GET', `/index/${day}/verify`)).json<Page>()
  expect(page.wrong.toSorted()).toEqual([missing, wrong].toSorted())
  expect(page.wrong).not.toContain(right)
})

it('is written anew from the jobs when all of it is lost, and is right then', async () => {
  const id = await indexed()
  await env.DB.prepare('delete from jobs').run()
  const { jobs, next } = await (await operate('POST', `/index/${day}/rebuild`)).json<Page>()
  expect(jobs).toBeGreaterThan(0)
  expect(next).toBeNull()
  expect(await statusOf(id)).toBe('PENDING')
  expect(await (await operate('GET', `/index/${day}/verify`)).json()).toEqual({ jobs, wrong: [], next: null })
})

it('has nothing for a day without jobs', async () => {
  expect(await (await operate('GET', '/index/2020-01-01/verify')).json()).toEqual({
    jobs: 0,
    wrong: [],
    next: null,
  })
})

it('goes on page by page after the batch it is told', async () => {
  const ledger = env.JOB_LEDGER.getByName('2021-05-05')
  // The same few ids again and again: each is an object that has to be looked into.
  const ids = Array.from({ length: 150 }, (_, at) => `${at % 3}0000000-0000-4000-8000-000000000000`)
  for (let batches = 0; batches < 3; batches++) await ledger.add(ids)
  const first = await (await operate('GET', '/index/2021-05-05/verify')).json<Page>()
  expect(first.next).not.toBeNull()
  const rest = await ledger.page(first.next, 200)
  expect(rest).toMatchObject({ next: null })
  expect(rest.ids).toHaveLength(150)
})
