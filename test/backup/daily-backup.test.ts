import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { JobLine, Manifest, StoredAuditEntry } from '../../src/contract/backup.ts'
import type { Health } from '../../src/contract/pos-operations.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { backupTrouble } from '../../src/monitoring/alert-rules.ts'
import { health, lookAtParts } from '../../src/monitoring/hub-parts.ts'
import { backupAge } from '../../src/backup/bucket.ts'
import { backupMessage, consumeBackups, startBackup } from '../../src/backup/daily-backup.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { alarmOf, objectOf, stored } from '../support/jobs/job.ts'
import { forgetChanges } from '../support/hub/new-hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'

const bucket = env.TEST_BUCKET
const sent: unknown[] = []
const bound: Env = {
  ...env,
  BACKUPS: { ...env.BACKUPS, send: async (body: unknown) => void sent.push(body) } as never,
  ...{ BACKUP_BUCKET: bucket },
}
const NIGHT = Date.parse('2036-03-05T03:17:00Z')

const ADDRESS = '198.51.100.77'
let job: string
beforeAll(async () => {
  const made = await createJob(await tokenFor(await makePos()), { ip_address: ADDRESS })
  job = made.paymentJob
  const inIndex = () => env.DB.prepare('select id from jobs where id = ?').bind(job).first('id')
  await vi.waitFor(async () => expect(await inIndex()).toBe(job), 15_000)
})
afterEach(async () => {
  sent.length = 0
  for (const { key } of (await bucket.list()).objects) await bucket.delete(key)
})

/** Handles a message this many times. */
async function take(message: unknown, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { batch, acked } = batchOf([message], 'payment-hub-backups')
    await consumeBackups(batch, bound)
    expect(acked()).toBe(1)
  }
}
/** Handles messages until none is left, each of them twice, as a queue may deliver them. */
async function takeAll(): Promise<void> {
  const done = new Set<string>()
  for (let message = sent.shift(); message !== undefined; message = sent.shift()) {
    const text = JSON.stringify(message)
    if (!done.has(text)) await take(message, 2)
    done.add(text)
  }
}
async function healthOf(hub: Env): Promise<Health> {
  return (await health(new Request('https://hub.nl/healthz'), hub)).json()
}
async function textOf(name: string): Promise<string> {
  return (await (await bucket.get(name))?.text()) ?? ''
}

let night = NIGHT
/** The job's line in the next night's backup. */
async function backedUpJob(): Promise<string | undefined> {
  night += DAY
  await startBackup(bound, night)
  await takeAll()
  const { objects } = await bucket.list({ prefix: `${new Date(night).toISOString().slice(0, 10)}/jobs-` })
  const texts = await Promise.all(objects.map(({ key }) => textOf(key)))
  return texts.flatMap((text) => text.split('\n')).find((line) => line.startsWith(`{"id":"${job}"`))
}

/** Restores the job from its line in a backup. */
async function restore(line = '') {
  await forgetChanges()
  const body = { jobs: [JSON.parse(line) as object], counts: [] }
  const response = await operate('POST', `/restore/jobs/${new Date().toISOString().slice(0, 10)}`, body)
  return { status: response.status, ...(await response.json<{ written?: number; there?: number }>()) }
}

describe('a backup to a bucket', () => {
  it('begins each night where a bucket is bound, and once', async () => {
    await startBackup(env, NIGHT)
    await startBackup(bound, NIGHT - 2 * HOUR)
    expect(sent).toEqual([])
    await startBackup(bound, NIGHT)
    expect(sent).toMatchObject([{ part: 'registry', page: 1 }])
    await take(sent[0])
    sent.length = 0
    await startBackup(bound, NIGHT + HOUR)
    expect(sent).toEqual([])
    await startBackup(bound, NIGHT + DAY)
    expect(sent).toHaveLength(1)
  })

  it('writes what hub restore reads, whatever comes twice', async () => {
    await startBackup(bound, NIGHT)
    await takeAll()
    const manifest = v.parse(Manifest, JSON.parse(await textOf('2036-03-05/manifest.json')))
    expect(manifest.finished).not.toBeNull()
    const { isOwn } = await answerTo<{ isOwn: boolean }>('POST', '/restore/manifest', manifest.signed)
    expect([isOwn, new Set(manifest.signed?.parts.map(({ begun }) => begun))]).toEqual([
      true,
      new Set([new Date(NIGHT).toISOString()]),
    ])
    const texts = new Map<string, string>()
    for (const { name, lines, sha256: hash } of manifest.files) {
      const text = await textOf(`2036-03-05/${name}`)
      expect([await sha256(text), text.split('\n').length - 1], name).toEqual([hash, lines])
      texts.set(name, text)
    }
    const linesOf = (part: string) =>
      [...texts].flatMap(([name, text]) =>
        name.startsWith(part)
          ? text
              .trim()
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line))
          : [],
      )
    const jobs = v.parse(v.array(JobLine), linesOf('jobs-'))
    const mine = jobs.find((line) => 'id' in line && line.id === job)
    const log = v.parse(v.array(StoredAuditEntry), linesOf('audit')).map(({ number }) => number)
    expect(log).toEqual(log.map((_, at) => at + 1))
    const day = new Date().toISOString().slice(0, 10)
    const rows = linesOf('registry')
      .filter(({ table }) => table !== 'payout_lines')
      .slice(0, 50)
    await forgetChanges()
    for (const [path, body] of [
      ['/restore/registry', { rows }],
      [`/restore/jobs/${day}`, { jobs: [mine], counts: [] }],
    ] as const) {
      const restored = await operate('POST', path, body)
      expect([restored.status, await restored.json()]).toEqual([200, expect.objectContaining({ written: 0 })])
    }
  })

  it('keeps a page as it was first written, because the next page begins where that ended', async () => {
    const message = backupMessage.write({ begun: NIGHT, part: 'registry', page: 1, after: null })
    const page = () => textOf('2036-03-05/registry-000001.ndjson')
    await take(message)
    const before = await page()
    const { id } = await makePos()
    await take(message)
    expect(await page()).toBe(before)
    expect(before).not.toContain(id)
  })

  it('that is incomplete a day and a half later raises an alert, and so does a complete one of that age', async () => {
    const now = Date.now()
    const troubleAt = async (time: number) => backupTrouble(await backupAge(bucket, time))
    expect(await troubleAt(now)).toBeNull()
    await take(backupMessage.write({ begun: now, part: 'registry', page: 1, after: null }))
    expect(await troubleAt(now + DAY)).toBeNull()
    expect(await troubleAt(now + 2 * DAY)).toMatchObject({ kind: 'hub-failing', subject: 'backups' })
    await takeAll()
    expect(await troubleAt(now + DAY)).toBeNull()
    expect(await troubleAt(now + 37 * HOUR)).toMatchObject({ subject: 'backups' })
    const parts = await Promise.all(lookAtParts(bound))
    expect(parts).toContainEqual(expect.objectContaining({ part: 'backups', state: 'working' }))
    expect(Date.parse((await healthOf(bound)).lastBackup ?? '')).toBeGreaterThanOrEqual(now - 1000)
    expect((await healthOf(env)).lastBackup).toBeUndefined()
  })

  it('has no personal data that was erased before it, and an older one brings none back', async () => {
    const older = await backedUpJob()
    expect(older).toContain(ADDRESS)
    expect((await operate('POST', `/jobs/${job}/erase`)).status).toBe(200)
    expect(await backedUpJob()).not.toContain(ADDRESS)
    expect(await restore(older)).toMatchObject({ status: 200, written: 0, there: 1 })
    expect(await backedUpJob()).not.toContain(ADDRESS)
  })
})

describe('a job of a backup', () => {
  it('that the hub has lost is whole again, and goes on', async () => {
    const line = await backedUpJob()
    const before = await stored(job)
    await runInDurableObject(objectOf(job), (_, { storage }) => storage.deleteAll())
    await evictDurableObject(objectOf(job))
    expect(await objectOf(job).read()).toBeNull()
    expect(await backedUpJob()).toBeUndefined()
    expect(await restore(line)).toMatchObject({ status: 200, written: 1, there: 0 })
    expect(await stored(job)).toEqual(before)
    await vi.waitFor(async () => expect(await alarmOf(job)).toBeGreaterThan(Date.now()))
  })

  it('that is another than that of the hub is refused, and that of the hub stays', async () => {
    const line = await backedUpJob()
    const before = await stored(job)
    expect((await restore(line?.replace('"amount":1250', '"amount":1'))).status).toBe(409)
    await evictDurableObject(objectOf(job))
    expect(await stored(job)).toEqual(before)
  })
})

it('a message to a hub whose bucket was taken away ends the backup', async () => {
  const message = backupMessage.write({ begun: NIGHT, part: 'registry', page: 1, after: null })
  const { batch, acked } = batchOf([message], 'payment-hub-backups')
  await consumeBackups(batch, env)
  expect([acked(), sent]).toEqual([1, []])
})
