import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { consumeSweeps } from '../../src/job-index/sweeps.ts'
import { sweepMessage } from '../../src/job-index/sweep-message.ts'
import { type IndexCheck, daysToCheck, isTimeToCheck, wrongDays } from '../../src/job-index/nightly-check.ts'
import { indexTrouble } from '../../src/monitoring/alert-rules.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'

describe('the index is checked', () => {
  const DAYS = Array.from({ length: 9 }, (_, at) => `2026-01-${String(at + 1).padStart(2, '0')}`)
  const at = (time: string) => daysToCheck(DAYS, Date.parse(time))

  it('once a night, but never for today: the previous day and some others', () => {
    expect(isTimeToCheck(Date.parse('2026-01-09T03:17:00Z'))).toBe(false)
    expect(isTimeToCheck(Date.parse('2026-01-09T02:17:00Z'))).toBe(true)
    const some = at('2026-01-09T02:17:00Z')
    expect(some).toContain('2026-01-08')
    expect(some).not.toContain('2026-01-09')
    expect(some.length).toBeLessThanOrEqual(4)
  })

  it('so that each day has its turn, and all days on a Sunday', () => {
    const turns = ['05', '06', '07', '08', '09'].flatMap((day) => at(`2026-02-${day}T02:17:00Z`))
    expect(new Set(turns)).toEqual(new Set(DAYS))
    expect(at('2026-02-01T02:17:00Z')).toEqual(DAYS)
  })

  it('without a fault before the first job', () => {
    expect(daysToCheck([], Date.parse('2026-01-09T02:17:00Z'))).toEqual([])
  })
})

describe('a wrong row', () => {
  /** A day on which no other file has jobs. */
  const day = '2036-03-04'
  const hour = Date.parse(`${day}T12:00:00Z`) / 3_600_000
  let job: string
  const sent: { body: IndexCheck; delaySeconds: number | undefined }[] = []
  const SWEEPS = {
    ...env.SWEEPS,
    send: async (body: unknown, options?: QueueSendOptions) => {
      sent.push({ body: body as IndexCheck, delaySeconds: options?.delaySeconds })
    },
  }
  async function check(message: IndexCheck): Promise<void> {
    sent.length = 0
    const { batch, acked } = batchOf([sweepMessage.write(message)], 'payment-hub-sweeps')
    await consumeSweeps(batch, { ...env, SWEEPS } as never)
    expect(acked()).toBe(1)
  }
  const whole = (again: boolean): IndexCheck => ({ check: day, after: null, wrong: 0, again })

  beforeAll(async () => {
    vi.setSystemTime(Date.parse(`${day}T12:00:00Z`))
    job = (await createJob(await tokenFor(await makePos()))).paymentJob
    const inIndex = () => env.DB.prepare('select id from jobs where id = ?').bind(job).first('id')
    await vi.waitFor(async () => expect(await inIndex()).toBe(job), 15_000)
  })

  it('is checked again before it counts, and is written then and logged if a queue has lost it', async () => {
    const rows = () => env.DB.prepare('select status, pos from jobs where id = ?').bind(job).all()
    const warnings = vi.spyOn(console, 'warn').mockReturnValue()
    await env.DB.prepare('delete from jobs where id = ?').bind(job).run()
    await env.DB.prepare('delete from job_counts where hour = ?').bind(hour).run()
    await check(whole(false))
    expect(sent).toMatchObject([{ body: { check: day, again: true }, delaySeconds: 900 }])
    expect((await rows()).results).toEqual([])
    await check(whole(true))
    expect((await rows()).results).toMatchObject([{ status: 'PENDING' }])
    expect(loggedOf(warnings, day)).toEqual([{ event: 'index.repaired', day, jobs: 1 }])
    expect(await wrongDays(env.DB)).toEqual([])
    expect(await answerTo('GET', `/index/${day}/verify`)).toMatchObject({ wrong: [], wrongHours: [] })
  })

  it('that no queue can have lost causes an alert until the day is rebuilt', async () => {
    await env.DB.prepare('update job_counts set success = 7 where hour = ?').bind(hour).run()
    await check(whole(true))
    expect(sent).toEqual([])
    const found = await wrongDays(env.DB)
    expect(found).toMatchObject([{ day }])
    expect(indexTrouble(found)).toMatchObject({ kind: 'hub-failing', subject: 'index' })
    expect((await operate('POST', `/index/${day}/rebuild`)).status).toBe(200)
    expect(indexTrouble(await wrongDays(env.DB))).toBeNull()
  })

  it('is forgotten when a later check finds nothing', async () => {
    const quiet = '2020-01-31'
    await env.DB.prepare('insert into index_findings values (?, 3, 0)').bind(quiet).run()
    await check({ ...whole(false), check: quiet })
    expect((await wrongDays(env.DB)).map((one) => one.day)).not.toContain(quiet)
  })
})
