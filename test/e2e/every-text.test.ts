import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { Manifest } from '../../src/contract/backup.ts'
import { words } from '../../src/contract/instruction.ts'
import { clearText, operatorName, text } from '../../src/contract/values.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { rehearseWith } from '../../src/rehearsal/rehearse.ts'
import { runHub } from '../cli/run-hub.ts'
import { type Built, startBuiltHub } from './built-hub.ts'
import { choose, next, openPos, operate } from './clients.ts'
import { openShops } from './shops.ts'

/* Every text that a hub stores, with every character that its door takes, and a hub that a backup of it brings back. */

/** Each character of these classes, and each at which some reader ends a line; letters differ in no way that matters. */
const SPECIAL = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Cc}\p{Cf}\p{Z}\p{P}\p{Mn}]/u.test(one),
)
/** What a door takes of them, in texts that it takes, the ends of lines first. */
function textsFor(door: v.GenericSchema<string>, longest: number): string[] {
  const ends = ['\n', '\u0085', '\u2028', '\u2029', '"', '\\']
  const taken = [...ends, ...SPECIAL].filter((one) => v.is(door, `a${one}b`))
  const parts = longest / 4
  return Array.from({ length: Math.ceil(taken.length / parts) }, (_, at) =>
    taken.slice(at * parts, (at + 1) * parts).map((one) => `${one}a`),
  ).map((part) => `a${part.join('')}`)
}
const NAMES = textsFor(operatorName, 100)
const NUMBERS = textsFor(text(255), 255)
const ANY = textsFor(v.string(), 4000)

type Hub = Awaited<ReturnType<typeof startBuiltHub>>
const built: Built = inject('built')
let [hub, folder]: [Hub, string] = [undefined as never, '']
let shops: Awaited<ReturnType<typeof openShops>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-texts-'))
  ;[hub, shops] = await Promise.all([startBuiltHub(built), openShops()])
  const pos = await openPos(hub, { name: NAMES[0] })
  for (const name of NAMES.slice(1)) await operate(hub, '/pos', { name })
  const role = 'viewer'
  await operate(hub, '/tokens', { name: 'Desk (1) "a\\b" – é', role })
  const [endpoint, credentials] = [shops.url, { apiKey: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' }]
  await operate(hub, '/accounts', { id: 'mollie-1', psp: 'mollie', mode: 'test', credentials, endpoint })
  for (const [at, name] of NAMES.entries())
    await operate(hub, '/accounts/mollie-1/terminals', { terminal: `term_${at}`, name })
  for (const order_number of NUMBERS) await pos.create(shops.url, { order_number })
  const paid = await pos.create(shops.url, { order_number: 'Two\u2028lines\u2029of an order' })
  await next(await choose(paid.payUrl, 'paid'))
  const refund = { id: crypto.randomUUID(), amount: '1.00', description: textsFor(words, 140)[0] }
  await operate(hub, `/jobs/${paid.paymentJob}/refunds`, refund)
  const line = { kind: 'fee', at: Date.UTC(2026, 0, 5), job: null, gross: 0, fee: 0 }
  const texts = ANY.map((one) => ({ ...line, reference: one, orderNumber: one, text: one }))
  const size = { from: 1, total: texts.length, lines: texts }
  await operate(hub, '/books/accounts/sandbox/payouts', {
    id: 'po-1',
    currency: 'EUR',
    amount: 0,
    paidAt: Date.UTC(2026, 0, 5),
    ...size,
  })
  await operate(hub, '/books/months/2026-01/close', { mode: 'test', note: textsFor(clearText(500), 500)[0] })
  await vi.waitFor(async () => expect(await jobsOf(hub)).toHaveLength(NUMBERS.length + 1), 20_000)
}, 120_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  shops.close()
  await hub.stop()
  await rm(folder, { recursive: true, force: true })
})

function run(of: Hub, ...typed: string[]) {
  vi.stubEnv('HUB_URL', of.url)
  vi.stubEnv('OPERATOR_TOKEN', of.secrets['OPERATOR_TOKEN'])
  return runHub(typed)
}
async function jobsOf(of: Hub): Promise<{ id: string; orderNumber: string }[]> {
  const found: { id: string; orderNumber: string }[] = []
  for (let after = ''; ;) {
    const page = await operate<{ jobs: typeof found; next: string | null }>(
      of,
      `/jobs?mode=all&limit=200${after}`,
    )
    found.push(...page.jobs.map(({ id, orderNumber }) => ({ id, orderNumber })))
    if (page.next === null) return found.toSorted((one, two) => (one.id < two.id ? -1 : 1))
    after = `&after=${encodeURIComponent(page.next)}`
  }
}
async function contentOf(of: Hub): Promise<object> {
  const paths = ['/pos', '/terminals', '/books/months/2026-01?mode=test', '/books/payouts/po-1']
  return Promise.all([jobsOf(of), ...paths.map((path) => operate<object>(of, path))])
}

/** As releases up to 1.1 wrote it: separators of lines are as they are. */
async function asBefore(out: string): Promise<void> {
  const manifest = v.parse(Manifest, JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')))
  for (const file of manifest.files) {
    const path = join(out, file.name)
    const escape = /(?<!\\)((?:\\\\)*)\\u(0085|202[89])/g
    const raw = (await readFile(path, 'utf8')).replaceAll(
      escape,
      (_, before: string, code: string) => before + String.fromCharCode(parseInt(code, 16)),
    )
    await writeFile(path, raw)
    file.sha256 = createHash('sha256').update(raw).digest('hex')
  }
  await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest))
}

it.each<[string, (out: string) => Promise<void>]>([
  ['today', async () => {}],
  ['with 1.1', asBefore],
])('every text comes back from a backup that was made %s, and a rehearsal reads it', async (_, change) => {
  const out = join(folder, `backup-${Math.random()}`)
  expect(await run(hub, 'backup', '--out', out)).toMatchObject({ code: 0 })
  await change(out)
  const raw = (await Promise.all((await readdir(out)).map((name) => readFile(join(out, name), 'utf8')))).join(
    '',
  )
  expect(/[\u0085\u2028\u2029]/.test(raw)).toBe(change === asBefore)
  expect(await rehearseWith(PROJECT, out, {})).toMatchObject({ wrong: [], changes: [] })
  const other = await startBuiltHub(built, hub.secretsFile)
  try {
    expect(await run(other, 'restore', out)).toMatchObject({ code: 0 })
    expect(await contentOf(other)).toEqual(await contentOf(hub))
    expect(await operate(other, '/audit/verify')).toMatchObject({ wrong: null })
  } finally {
    await other.stop()
  }
})
