import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { Manifest } from '../../src/contract/backup.ts'
import { read } from '../docs/documents.ts'
import { runHub } from '../cli/run-hub.ts'
import { startBuiltHub } from './built-hub.ts'
import { type JobJson, type Pos, choose, next, openPos } from './clients.ts'
import { openShops } from './shops.ts'

type Hub = Awaited<ReturnType<typeof startBuiltHub>>

let hub: Hub
let shops: Awaited<ReturnType<typeof openShops>>
let pos: Pos
let folder: string
let jobs: JobJson[]
const PAID = 6
const MONTH = new Date().toISOString().slice(0, 7)
/** A past month, which can be closed. */
const OVER = '2026-01'
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-backup-'))
  ;[hub, shops] = await Promise.all([startBuiltHub(inject('built')), openShops()])
  pos = await openPos(hub)
  jobs = await Promise.all(
    Array.from({ length: PAID + 2 }, (_, at) => pos.create(shops.url, {}, `key-${at}`)),
  )
  for (const { payUrl } of jobs.slice(0, PAID)) await next(await choose(payUrl, 'paid'))
  await vi.waitFor(async () => expect(await inIndex(hub)).toBe(PAID), { timeout: 20_000, interval: 200 })
  await run(hub, 'books', 'fetch', 'sandbox')
  await run(hub, 'books', 'close', OVER, '--yes')
  expect(await books(hub)).toMatchObject([{ payouts: [expect.anything()] }, { closed: { note: '' } }])
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  shops.close()
  await hub.stop()
  await rm(folder, { recursive: true, force: true })
})

function ask(of: Hub, path: string): Promise<Response> {
  return fetch(`${of.url}/operator/v1${path}`, {
    headers: { authorization: `Bearer ${of.secrets['OPERATOR_TOKEN']}` },
  })
}
async function inIndex(of: Hub): Promise<number> {
  const { jobs: found } = (await (await ask(of, '/jobs?status=SUCCESS')).json()) as { jobs: object[] }
  return found.length
}
/** The journals of the paid jobs, in which nothing more happens. */
function journals(of: Hub): Promise<string[]> {
  return Promise.all(
    jobs.slice(0, PAID).map(async ({ paymentJob }) => (await ask(of, `/jobs/${paymentJob}/journal`)).text()),
  )
}
function run(of: Hub, ...words: string[]) {
  vi.stubEnv('HUB_URL', of.url)
  vi.stubEnv('OPERATOR_TOKEN', of.secrets['OPERATOR_TOKEN'])
  return runHub(words)
}
async function books(of: Hub): Promise<object> {
  return Promise.all([MONTH, OVER].map(async (month) => (await ask(of, `/books/months/${month}`)).json()))
}
/**
 * A copy of a backup with each file in two parts. A bucket, too, has it in many files, of a few hundred lines
 * each.
 */
async function cutUp(out: string): Promise<string> {
  const cut = `${out}-cut`
  await mkdir(cut)
  const manifest = v.parse(Manifest, JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')))
  const files: Manifest['files'] = []
  for (const { name } of manifest.files) {
    const lines = (await readFile(join(out, name), 'utf8')).trim().split('\n')
    for (const [at, half] of [lines.slice(0, 2), lines.slice(2)].entries()) {
      const text = half.map((line) => `${line}\n`).join('')
      const own = name.replace('.', `-${String(at + 1).padStart(6, '0')}.`)
      files.push({ name: own, lines: half.length, sha256: createHash('sha256').update(text).digest('hex') })
      await writeFile(join(cut, own), text)
    }
  }
  await writeFile(join(cut, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  return cut
}
/** The commands in a section of the page, with this test's folder. */
function commandsUnder(heading: string, out: string): string[][] {
  const [, section = ''] = read('docs/operating/backup.md').split(`## ${heading}`)
  const [, code = ''] = /```sh\n([^]*?)```/.exec(section) ?? []
  const lines = code.trim().replaceAll('/safe/hub-2026-01-31', out).split('\n')
  return lines.map((line) => line.replace('npx hub ', '').split(' '))
}

describe('a backup', () => {
  it('is files that only their owner can read, in a folder that no second backup may use', async () => {
    const out = join(folder, 'whole')
    const [words = []] = commandsUnder('Back up', out)
    expect(await run(hub, ...words)).toMatchObject({ code: 0 })
    const names = await readdir(out)
    const day = new Date().toISOString().slice(0, 10)
    expect(names.toSorted()).toEqual([
      'audit.ndjson',
      `jobs-${day}.ndjson`,
      'manifest.json',
      'registry.ndjson',
    ])
    for (const name of names) expect((await stat(join(out, name))).mode & 0o777, name).toBe(0o600)
    const again = await run(hub, 'backup', '--out', out)
    expect([again.code, again.err.join()]).toEqual([2, expect.stringContaining('Choose another folder')])
  })

  it('that is broken off goes on, and is no backup until it is whole', async () => {
    const out = join(folder, 'broken')
    const through = globalThis.fetch
    vi.stubGlobal('fetch', (url: URL, init: RequestInit) =>
      String(url).includes('/backup/audit') ? Promise.reject(new Error('no line')) : through(url, init),
    )
    expect((await run(hub, 'backup', '--out', out)).code).toBe(1)
    vi.unstubAllGlobals()
    expect(await run(hub, 'restore', out)).toMatchObject({ code: 2 })
    const asked = vi.fn(through)
    vi.stubGlobal('fetch', asked)
    expect((await run(hub, 'backup', '--out', out)).code).toBe(0)
    vi.unstubAllGlobals()
    expect(asked.mock.calls.map(String).join()).not.toContain('/backup/registry')
  })
})

describe('a restore', () => {
  let other: Hub
  beforeAll(async () => void (other = await startBuiltHub(inject('built'), hub.secretsFile)))
  afterAll(() => other.stop())

  it.each([
    ['is missing', (path: string) => rm(path)],
    ['was changed', async (path: string) => writeFile(path, `${await readFile(path, 'utf8')}\n`)],
  ])('of a backup of which a file %s changes nothing', async (_, spoil) => {
    const out = join(folder, `spoilt-${Math.random()}`)
    await run(hub, 'backup', '--out', out)
    await spoil(join(out, 'registry.ndjson'))
    const { code, err } = await run(other, 'restore', out)
    expect([code, err.join()]).toEqual([1, expect.stringContaining('registry.ndjson')])
    expect(await (await ask(other, '/pos')).json()).toEqual({ pointsOfSale: [] })
  })

  it('that is broken off goes on, and then everything answers as before', async () => {
    const out = await cutUp(join(folder, 'whole'))
    const [words = []] = commandsUnder('Bring a whole hub back', out)
    const through = globalThis.fetch
    vi.stubGlobal('fetch', (url: URL, init: RequestInit) =>
      String(url).includes('/restore/jobs') ? Promise.reject(new Error('no line')) : through(url, init),
    )
    expect((await run(other, ...words)).code).toBe(1)
    vi.unstubAllGlobals()
    // An operator who searches for a job before it is restored does not hide it.
    expect((await ask(other, `/jobs/${jobs[0]?.paymentJob}`)).status).toBe(404)
    expect(await run(other, ...words)).toMatchObject({ code: 0 })
    expect(await journals(other)).toEqual(await journals(hub))
    expect(await inIndex(other)).toBe(PAID)
    const moved = async (path: string) => (await (await ask(other, path)).json()) as object
    expect(await moved('/pos')).toEqual(await (await ask(hub, '/pos')).json())
    expect(await books(other)).toEqual(await books(hub))
    expect(await moved('/audit/verify')).toMatchObject({ wrong: null })
    expect(await moved(`/index/${new Date().toISOString().slice(0, 10)}/verify`)).toMatchObject({ wrong: [] })
    // The shop still has its API key and the keys of its jobs, and goes on with them.
    const shop = await fetch(`${other.url}/v1/guardian`, {
      headers: { authorization: `Bearer ${pos.apiKey}` },
    })
    expect(shop.status).toBe(200)
    const there = await run(other, ...words, '--json')
    expect(JSON.stringify(JSON.parse(there.out[0] ?? ''))).not.toMatch(/"written":[1-9]/)
  })

  it.each<[string, (manifest: Manifest) => Manifest]>([
    ['was changed with its hash', (manifest) => manifest],
    ['comes from 1.1', ({ signed: _signed, ...manifest }) => manifest],
    [
      'lacks a day',
      (manifest) => ({ ...manifest, files: manifest.files.filter(({ name }) => !name.startsWith('jobs')) }),
    ],
  ])('of a backup that %s needs a word of the operator', async (what, change) => {
    const [out, fresh] = [
      join(folder, `foreign-${Math.random()}`),
      await startBuiltHub(inject('built'), hub.secretsFile),
    ]
    await run(hub, 'backup', '--out', out)
    const manifest = change(v.parse(Manifest, JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))))
    if (what.includes('hash'))
      for (const file of manifest.files.filter(({ name }) => name.startsWith('jobs'))) {
        const text = (await readFile(join(out, file.name), 'utf8')).replaceAll('"amount":1250', '"amount":1')
        await writeFile(join(out, file.name), text)
        file.sha256 = createHash('sha256').update(text).digest('hex')
      }
    await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest))
    try {
      const { code, err } = await run(fresh, 'restore', out)
      expect([code, err.join()]).toEqual([1, expect.stringContaining('--unsigned')])
      expect(await (await ask(fresh, '/pos')).json()).toEqual({ pointsOfSale: [] })
      expect(await run(fresh, 'restore', out, '--unsigned')).toMatchObject({ code: 0 })
    } finally {
      await fresh.stop()
    }
  })

  it('into a hub that has already made a change is refused', async () => {
    await openPos(other)
    const { code, err } = await run(other, 'restore', join(folder, 'whole'), '--only', 'registry')
    expect([code, err.join()]).toEqual([1, expect.stringMatching(/entry \d+ of its audit log/)])
  })
})

it('after the loss of D1 the commands of the page bring shops back in, and the index', async () => {
  const out = join(folder, 'whole')
  const before = [await journals(hub), await books(hub)]
  await hub.loseD1()
  const guardian = () =>
    fetch(`${hub.url}/v1/guardian`, { headers: { authorization: `Bearer ${pos.apiKey}` } })
  expect((await guardian()).status).toBe(503)
  for (const words of commandsUnder('Bring D1 back', out))
    expect(await run(hub, ...words)).toMatchObject({ code: 0 })
  expect((await guardian()).status).toBe(200)
  expect(await inIndex(hub)).toBe(PAID)
  expect([await journals(hub), await books(hub)]).toEqual(before)
})
