import { untilTried } from '../support/jobs/reported.ts'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { duties } from '../../src/job/core/duties.ts'
import { rowOf } from '../../src/job/core/row.ts'
import { realAt } from '../../src/contract/advance.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { readConfig } from '../../src/platform/config.ts'
import {
  type JobJson,
  askWith,
  create,
  createJob,
  location,
  makePos,
  order,
  payAs,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { objectOf, RETENTION, stored, untilNothingIsDue } from '../support/jobs/job.ts'
import { makeLivePos } from '../support/shops/live-pos.ts'
import { receiver } from '../support/shops/receiver.ts'

let shop: ReturnType<typeof receiver>
let answer: () => Response
beforeEach(() => {
  answer = () => new Response('ok')
  shop = receiver(() => answer())
})

async function made(): Promise<{ token: string; job: JobJson; reference: string }> {
  const token = await tokenFor(await makePos())
  const job = await (await create(token, order)).json<JobJson>()
  const reference =
    location(await send(job.payUrl))
      .split('/')
      .at(-1) ?? ''
  return { token, job, reference }
}

function ask(token: string, id: string, body: unknown): Promise<Response> {
  return askWith(token, 'POST', `/v2/paymentjobs/${id}/advance`, body)
}

/** Lets time pass; alarms ring as soon as they may. */
async function advance(token: string, id: string, ms: number): Promise<JobJson> {
  const answered = ask(token, id, { seconds: ms / 1000 })
  let isDone = false
  void answered.finally(() => (isDone = true))
  while (!isDone) {
    await runDurableObjectAlarm(objectOf(id))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const response = await answered
  expect(response.status).toBe(200)
  return response.json()
}

describe('POST …/advance', () => {
  it.each([undefined, '5', 0, -1, 1.5, 34_560_001])(
    'refuses %j by the name of the field',
    async (seconds) => {
      const { token, job } = await made()
      const response = await ask(token, job.paymentJob, { seconds })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'fields-invalid', field: 'seconds' })
    },
  )

  it('is only for your own jobs in test mode, and for at most 400 days in all', async () => {
    const { token, job } = await made()
    expect((await ask(await tokenFor(await makeLivePos()), job.paymentJob, { seconds: 1 })).status).toBe(403)
    expect((await ask(await tokenFor(await makePos()), job.paymentJob, { seconds: 1 })).status).toBe(404)
    await advance(token, job.paymentJob, 300 * DAY)
    expect((await ask(token, job.paymentJob, { seconds: 101 * 86_400 })).status).toBe(422)
  })

  it('makes all tries of a report, each at its planned time', async () => {
    answer = () => new Response(null, { status: 500 })
    const { token, job } = await made()
    await payAs(job.payUrl, 'paid')
    await untilTried(job.paymentJob)
    const start = Date.now()
    await advance(token, job.paymentJob, 4 * DAY)
    const { report, clock } = await stored(job.paymentJob)
    const times = report?.history.map(({ began }) => began) ?? []
    expect([report?.state, times.length]).toEqual(['given-up', 11])
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / HOUR).toBeGreaterThan(65)
    expect([clock.offset, clock.wanted]).toEqual([4 * DAY, 4 * DAY])
    // A receiver compares the signature's time with its own clock.
    for (const { headers } of shop.of(job.paymentJob))
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - start)).toBeLessThan(60_000)
  }, 60_000)

  it('ends an unpaid job at its time', async () => {
    const { token, job } = await made()
    const ended = await advance(token, job.paymentJob, HOUR)
    expect(ended.status).toBe('EXPIRED')
    const trace = (await readJob(token, job.paymentJob)).payments.steps.map(
      ({ creationDate }) => creationDate,
    )
    const took = Date.parse(trace.at(-1) ?? '') - Date.parse(trace[0] ?? '')
    expect(took).toBeGreaterThan(15 * 60_000)
    expect(took).toBeLessThan(25 * 60_000)
  })

  it('announces an order that no account takes at the planned times, and ends it at its time', async () => {
    const token = await tokenFor(await makePos())
    const { paymentJob: id } = await createJob(token, { order_number: 'A-7 sandbox-down-99999' })
    expect((await advance(token, id, 25 * HOUR)).status).toBe('EXPIRED')
    const tries = (await stored(id)).attempts.map(({ at }) => at)
    expect(tries).toEqual(tries.toSorted((one, other) => one - other))
    expect(((tries.at(-1) ?? 0) - (tries[0] ?? 0)) / HOUR).toBeGreaterThan(23)
    expect(tries.length).toBeLessThan(40)
  })

  it('asks a PSP again that just gave no answer', async () => {
    const { token, job } = await made()
    await payAs(job.payUrl, 'silent')
    const { entry } = await stored(job.paymentJob)
    expect((await advance(token, job.paymentJob, 2 * HOUR)).status).toBe('SUCCESS')
    expect((await stored(job.paymentJob)).entry.number).toBeLessThan(entry.number + 50)
  })

  it('moves the payment in the sandbox as well: money that takes an hour has arrived', async () => {
    const { token, job, reference } = await made()
    await send(`/sandbox/payments/${reference}/late`, {
      method: 'POST',
      body: JSON.stringify({ after: 3600 }),
    })
    // The answer to this question is older than the time that passes now.
    await send(`/return/${job.paymentJob}`)
    const paid = await advance(token, job.paymentJob, 2 * HOUR)
    expect(paid.status).toBe('SUCCESS')
    expect((await stored(job.paymentJob)).late).toBe(true)
  })

  it('lets 400 days without a duty pass with few entries, on a hub that keeps addresses and jobs for a day', async () => {
    const { token, job } = await made()
    const config = await runInDurableObject(objectOf(job.paymentJob), (object) =>
      readConfig(Reflect.get(object, 'env') as Env),
    )
    const { retention, addressRetention } = config
    onTestFinished(() => void Object.assign(config, { retention, addressRetention }))
    Object.assign(config, { retention: DAY, addressRetention: DAY })
    await payAs(job.payUrl, 'paid')
    const { entry } = await untilNothingIsDue(job.paymentJob)
    await advance(token, job.paymentJob, 400 * DAY)
    expect((await stored(job.paymentJob)).entry.number).toBeLessThan(entry.number + 10)
  })

  it('keeps the job for its real retention time, and lists it by real times', async () => {
    const { token, job } = await made()
    await payAs(job.payUrl, 'paid')
    await untilNothingIsDue(job.paymentJob)
    await advance(token, job.paymentJob, 400 * DAY)
    const kept = await stored(job.paymentJob)
    const purge = duties(kept, Date.now() + kept.clock.offset, RETENTION).find((duty) => duty.do === 'purge')
    expect(Math.abs(realAt(kept.clock, purge?.at ?? 0) - Date.now() - RETENTION)).toBeLessThan(60_000)
    expect(Math.abs(rowOf(kept).updated / 1000 - Date.now())).toBeLessThan(60_000)
  })
})
