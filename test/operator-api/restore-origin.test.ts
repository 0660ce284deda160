import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type * as v from 'valibot'
import {
  type JobsBackup,
  type Origin,
  type PartEnd,
  type Restored,
  type StoredJob,
  jobLines,
} from '../../src/contract/backup.ts'
import { START, placeAfter } from '../../src/backup/origin.ts'
import { callJob } from '../../src/job/call-job.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { objectOf } from '../support/jobs/job.ts'
import { forgetChanges } from '../support/hub/new-hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { PSPS, type PspWorld, posAt, pspWorld } from '../support/psp-world.ts'

type Jobs = v.InferOutput<typeof JobsBackup>

const TODAY = new Date().toISOString().slice(0, 10)
const [BEGUN, LATER] = ['2026-01-31T03:00:00.000Z', '2026-02-01T03:00:00.000Z']
beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockReturnValue()
})

/** A page of today's jobs, as a backup that began then has it. */
function handedOut(begun = BEGUN): Promise<Jobs> {
  return answerTo<Jobs>('POST', `/backup/jobs/${TODAY}?begun=${begun}`)
}

/** Makes a live job that its customer paid at the PSP, and loses all but its line in a backup. */
async function paidAt(world: PspWorld): Promise<StoredJob> {
  const { paymentJob } = await createJob(await tokenFor(await posAt(world)))
  world.fake.bring(paymentJob, 'paid')
  await operate('POST', `/jobs/${paymentJob}/pull`)
  expect((await objectOf(paymentJob).read())?.standing.is).toBe('paid')
  const line = {
    id: paymentJob,
    stored: await callJob<StoredJob['stored']>(env, paymentJob, async (stub) => stub.backUp()),
  }
  await lose(paymentJob)
  return JSON.parse(JSON.stringify(line)) as StoredJob
}
async function lose(id: string): Promise<void> {
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAll())
  await evictDurableObject(objectOf(id))
  await forgetChanges()
}

async function restore(body: object) {
  const response = await operate('POST', `/restore/jobs/${TODAY}`, { counts: [], ...body })
  return { status: response.status, ...(await response.json<Partial<Restored> & { detail?: string }>()) }
}

function changedIn(line: StoredJob, from: string, to: string): StoredJob {
  return JSON.parse(JSON.stringify(line).replaceAll(from, to)) as StoredJob
}

describe.each(PSPS)('a job of a backup that nobody signed, paid at %s', (psp) => {
  it('comes back once its PSP confirms the money', async () => {
    const line = await paidAt(pspWorld(psp))
    expect(await restore({ jobs: [line] })).toMatchObject({ status: 200, written: 1, leftOut: [] })
    expect((await objectOf(line.id).read())?.standing.is).toBe('paid')
  })

  it.each<[string, (line: StoredJob, world: PspWorld) => StoredJob]>([
    ['has less money', (line) => changedIn(line, '1250', '999900')],
    ['has the money of another order', (line) => changedIn(line, line.id, crypto.randomUUID())],
    ['does not answer', (line, world) => ((world.fault = () => new Response('', { status: 503 })), line)],
    [
      'is not asked, for nobody knows the account',
      (line) => changedIn(line, `"account":"${psp}`, `"account":"x-${psp}`),
    ],
  ])('stays away, and is named, if the PSP %s', async (_, change) => {
    const world = pspWorld(psp)
    const line = change(await paidAt(world), world)
    const { status, written, leftOut } = await restore({ jobs: [line] })
    expect([status, written, leftOut]).toEqual([200, 0, [expect.stringContaining(line.id)]])
    expect(await objectOf(line.id).read()).toBeNull()
    expect(world.reportsOf(line.id).filter((reported) => reported === 'SUCCESS').length).toBeLessThan(2)
  })
})

describe('lines that the hub handed out', () => {
  async function signedJob() {
    const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
    const page = await vi.waitFor(async () => {
      const found = await handedOut()
      expect(found.jobs.map((one) => one.id)).toContain(id)
      return found
    }, 15_000)
    const at = page.jobs.findIndex((one) => one.id === id)
    const before = await placeAfter(START, page.jobs.slice(0, at))
    const origin: Origin = { begun: BEGUN, ...before, proof: page.proofs[at] ?? '' }
    await lose(id)
    return { line: page.jobs[at] as StoredJob, origin, page, at }
  }

  it('come back in any group, and no PSP is asked', async () => {
    const { line, origin } = await signedJob()
    const world = pspWorld('mollie')
    expect(await restore({ jobs: [line], origin })).toMatchObject({ status: 200, written: 1 })
    expect(world.asked).toEqual([])
  })

  it.each<
    [string, (line: StoredJob, origin: Origin) => { jobs: StoredJob[]; origin: Origin; counts?: object[] }]
  >([
    ['with another text', (line, origin) => ({ jobs: [changedIn(line, '1250', '1251')], origin })],
    ['with a line between', (line, origin) => ({ jobs: [line, line], origin })],
    [
      'at another place',
      (line, origin) => ({ jobs: [line], origin: { ...origin, lines: origin.lines + 1 } }),
    ],
    ['of another backup', (line, origin) => ({ jobs: [line], origin: { ...origin, begun: LATER } })],
    ['with more figures', (line, origin) => ({ jobs: [line], counts: [{ day: TODAY }], origin })],
    ['without a proof', (line, origin) => ({ jobs: [line], origin: { ...origin, proof: '' } })],
  ])('%s are refused', async (_, change) => {
    const { line, origin } = await signedJob()
    expect(await restore(change(line, origin))).toMatchObject({
      status: 409,
      detail: expect.stringContaining('handed out'),
    })
    expect(await objectOf(line.id).read()).toBeNull()
  })

  it('make a backup that the hub signs, and no other', async () => {
    const ends = await Promise.all(
      ['registry', 'audit', `jobs/${TODAY}`].map(async (part) => {
        let page = await answerTo<Jobs>('POST', `/backup/${part}?begun=${BEGUN}`)
        while (page.next !== null)
          page = await answerTo<Jobs>('POST', `/backup/${part}?after=${encodeURIComponent(page.next)}`)
        return page.end as PartEnd
      }),
    )
    const sign = async (parts: PartEnd[]) => operate('POST', '/backup/manifest', { parts })
    const signed = await (await sign(ends)).json<{ parts: PartEnd[]; release: string; signature: string }>()
    const isOwn = (body: object) => answerTo('POST', '/restore/manifest', body)
    expect(await isOwn(signed)).toEqual({ isOwn: true })
    const [first, ...others] = ends as [PartEnd, ...PartEnd[]]
    const { end } = await handedOut(LATER)
    for (const wrong of [
      { ...first, lines: first.lines + 1 },
      { ...first, digest: 'f'.repeat(64) },
      { ...first, part: 'jobs-2026-01-31' },
      end as PartEnd,
    ]) {
      expect((await sign([wrong, ...others])).status).toBe(409)
      expect(await isOwn({ ...signed, parts: [wrong, ...others] })).toEqual({ isOwn: false })
    }
    expect(await isOwn({ ...signed, parts: others })).toEqual({ isOwn: false })
    expect(await isOwn({ ...signed, release: '9.9.9' })).toEqual({ isOwn: false })
  })

  it('are followed by a page only if the hub said where it begins', async () => {
    const { page } = await signedJob()
    expect(page.next ?? page.end?.lines).toBe(jobLines(page).length)
    const after = JSON.stringify([BEGUN, 'x', 1, 'f'.repeat(64), 'f'.repeat(64)])
    expect((await operate('POST', `/backup/audit?after=${encodeURIComponent(after)}`)).status).toBe(422)
  })
})
