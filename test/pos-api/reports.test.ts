import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Pos, askWith, makePos, tokenFor } from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'
import { paidJob, untilTried } from '../support/jobs/reported.ts'

type Reports = { reports: { state: string; due: string | null; attempts: { outcome: string }[] }[] }

let answer: () => Response
let pos: Pos
let token: string
beforeEach(async () => {
  answer = () => new Response()
  receiver(() => answer())
  pos = await makePos()
  token = await tokenFor(pos)
})

function ask(path: string, method = 'GET', bearer = token): Promise<Response> {
  return askWith(bearer, method, `/v2/${path}`)
}

it('a shop sees why its report fails, finds it among the failing ones, and has it resent', async () => {
  answer = () => new Response('no space left', { status: 507 })
  const job = await paidJob(pos)
  await untilTried(job)
  const [failing] = (await (await ask(`paymentjobs/${job}/reports`)).json<Reports>()).reports
  expect(failing).toMatchObject({
    state: 'due',
    due: expect.any(String) as string,
    attempts: [{ outcome: '507', answer: 'no space left' }],
  })
  const owed = () =>
    env.DB.prepare('select failing_since from jobs where id = ?').bind(job).first('failing_since')
  await expect.poll(owed, { timeout: 15_000 }).not.toBeNull()
  vi.setSystemTime(Date.now() + 61_000)
  expect(await (await ask('reports?failing=1')).json()).toMatchObject({
    reports: [{ paymentJob: job, status: 'SUCCESS', givenUp: null }],
    next: null,
  })
  vi.useRealTimers()
  answer = () => new Response()
  expect((await ask(`paymentjobs/${job}/reports/resend`, 'POST')).status).toBe(200)
  await vi.waitFor(async () =>
    expect((await (await ask(`paymentjobs/${job}/reports`)).json<Reports>()).reports.at(-1)).toMatchObject({
      state: 'delivered',
      due: null,
    }),
  )
})

it('a shop sees and resends nothing of another shop', async () => {
  const job = await paidJob(pos)
  const other = await tokenFor(await makePos())
  expect((await ask(`paymentjobs/${job}/reports`, 'GET', other)).status).toBe(404)
  expect((await ask(`paymentjobs/${job}/reports/resend`, 'POST', other)).status).toBe(404)
  expect(await (await ask('reports?failing=1', 'GET', other)).json()).toEqual({ reports: [], next: null })
  expect((await ask('reports')).status).toBe(422)
})
