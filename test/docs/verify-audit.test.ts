import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { isInstalled } from '../support/installed.ts'
import { type AuditContent, BEFORE_ALL, canonicalEntry, entryContent } from '../../src/audit/audit-chain.ts'
import type { AuditEntry } from '../../src/contract/audit.ts'

const VERIFIER = join(import.meta.dirname, '..', '..', 'docs', 'verify-audit.py')
const hasPython = isInstalled('python3')
const folder = mkdtempSync(join(tmpdir(), 'payment-hub-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const WHO = { by: 'Zoë 🧾', role: 'operator', via: 'token', token: '7e3f', request: 'r-1' }
const TOLD: readonly AuditContent[] = [
  { ...WHO, action: 'pos.create', subject: '', result: 'begun', before: null, after: { name: 'Café' } },
  { ...WHO, action: 'pos.create', subject: 'p1', result: 'done', before: null, after: {} },
  {
    ...WHO,
    action: 'pos.route',
    subject: 'p1',
    result: 'begun',
    before: { zero: 0, accounts: [], is: true, Upper: 'a,1:b' },
    after: { isNot: false, nothing: null, less: -7, part: 0.25, accounts: ['a', 'é', ''], text: '3:x,\n"\\' },
  },
  { ...WHO, action: 'pos.route', subject: 'p1', result: 'failed', before: null, after: null },
  { ...WHO, action: 'job.pull', subject: 'j1', result: 'begun', before: null, after: { lone: '\uD800' } },
]

/** Returns the chain of these entries, as the log makes it. */
function chained(told: readonly AuditContent[]): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (const content of told) {
    const number = entries.length + 1
    const { hash: previous } = entries.at(-1) ?? BEFORE_ALL
    const of = content.result === 'begun' ? null : number - 1
    const at = new Date(Date.UTC(2026, 0, 31, 10) + number).toISOString()
    const unhashed = { ...entryContent(content), of, number, at, previous }
    const hash = createHash('sha256').update(canonicalEntry(unhashed)).digest('hex')
    entries.push({ ...unhashed, hash })
  }
  return entries
}

const GOOD = chained(TOLD)
function headOf({ number, hash }: AuditEntry) {
  return { day: '2026-01-31', number, hash }
}

/** Runs the program once for all exports: starting Python takes longest. */
const RUN_ALL = `
import contextlib, io, json, runpy, sys
for line in sys.stdin:
    sys.argv = ["verify-audit.py"] + json.loads(line)
    said, status = io.StringIO(), 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            runpy.run_path(${JSON.stringify(VERIFIER)}, run_name="__main__")
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            if isinstance(ended.code, str):
                print(ended.code)
    print(json.dumps({"status": status, "told": said.getvalue().strip()}), flush=True)
`
const python = hasPython ? spawn('python3', ['-c', RUN_ALL], { stdio: ['pipe', 'pipe', 'inherit'] }) : null
const answers = python && createInterface(python.stdout)[Symbol.asyncIterator]()
afterAll(() => python?.stdin.end())

async function verifyText(text: string, heads: readonly object[] = [], words: readonly string[] = []) {
  const files = [join(folder, 'export.ndjson'), join(folder, 'heads.ndjson')] as const
  writeFileSync(files[0], text)
  writeFileSync(files[1], linesOf(heads))
  python?.stdin.write(`${JSON.stringify([...files, ...words])}\n`)
  const answer = await answers?.next()
  return JSON.parse(String(answer?.value)) as { status: number; told: string }
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

function verify(entries: readonly object[], heads: readonly object[] = [], after = 0) {
  return verifyText(linesOf(entries), heads, after > 0 ? ['--after', String(after)] : [])
}

function replaced(number: number, change: Partial<AuditEntry>): AuditEntry[] {
  return GOOD.map((entry) => (entry.number === number ? { ...entry, ...change } : entry))
}
function without(number: number): AuditEntry[] {
  return GOOD.filter((entry) => entry.number !== number)
}

it('the hub hashes the example of the documents in the same way', () => {
  const page = readFileSync(join(VERIFIER, '..', 'audit.md'), 'utf8')
  const [, json = '', text = ''] = /```json\n([^`]*)```[^`]*```\n(.*)\n```/.exec(page) ?? []
  const entry = JSON.parse(json) as AuditEntry
  expect(canonicalEntry(entry)).toBe(text)
  expect(createHash('sha256').update(text).digest('hex')).toBe(entry.hash)
})

describe.skipIf(!hasPython)('the verifier in Python (skipped without python3)', () => {
  it('accepts an export of the log, whole or in part, with the heads of its days', async () => {
    const told = '5 entries are right. The last is entry 5.'
    expect(await verify(GOOD)).toEqual({ status: 0, told })
    expect((await verify(GOOD, GOOD.map(headOf))).status).toBe(0)
    expect((await verify(GOOD.slice(2), GOOD.map(headOf), 2)).status).toBe(0)
  })

  it('finds that an export is empty or begins late, unless --after says so', async () => {
    const missing = { status: 1, told: 'Entry 1 is missing.' }
    expect(await verify([])).toEqual(missing)
    expect(await verify(GOOD.slice(2))).toEqual(missing)
    expect(await verify(GOOD.slice(2), [], 1)).toEqual({ status: 1, told: 'Entry 2 is missing.' })
    expect(await verify([], [], 5)).toEqual({ status: 1, told: 'Entry 6 is missing.' })
    expect(await verify(GOOD.slice(2), [{ number: 2, hash: 'another' }], 2)).toEqual({
      status: 1,
      told: 'Entry 3 does not follow the head that was kept.',
    })
    expect(await verify(GOOD, [headOf(GOOD[4] as AuditEntry), { number: 5, hash: 'another' }])).toEqual({
      status: 1,
      told: 'There are two heads of entry 5.',
    })
  })

  it('ends with 1 if something is wrong', () => {
    const file = join(folder, 'own.ndjson')
    writeFileSync(file, linesOf(without(3)))
    const { status, stderr } = spawnSync('python3', [VERIFIER, file], { encoding: 'utf8' })
    expect([status, stderr.trim()]).toEqual([1, 'Entry 3 is missing.'])
  })

  it.each<[string, AuditEntry[], string]>([
    [
      'an edited value',
      replaced(3, { after: { ...GOOD[2]?.after, less: 7 } }),
      'Entry 3 is not what was written.',
    ],
    ['another operator', replaced(3, { by: 'Bob' }), 'Entry 3 is not what was written.'],
    ['a removed entry', without(3), 'Entry 3 is missing.'],
    [
      'a removed entry, and numbers that hide it',
      without(3).map((entry, place) => ({ ...entry, number: place + 1 })),
      'Entry 3 is not what was written.',
    ],
    ['swapped entries', [1, 3, 2, 4, 5].flatMap((number) => GOOD[number - 1] ?? []), 'Entry 2 is missing.'],
    ['a forged hash', replaced(3, { hash: 'ab'.repeat(32) }), 'Entry 3 is not what was written.'],
    [
      'a first entry that does not begin the chain',
      replaced(1, { previous: '1'.repeat(64) }),
      'Entry 1 does not begin the chain.',
    ],
  ])('finds %s', async (_, entries, told) => {
    expect(await verify(entries)).toEqual({ status: 1, told })
  })

  it.each<[string, readonly object[], number]>([
    ['an entry without its hash', [{ ...GOOD[0], hash: undefined }], 1],
    ['a value of another kind', replaced(3, { at: 5 as never }), 3],
    ['a line that is no entry', [...GOOD, ['x']], 6],
    ['a file that is no export', [{}], 1],
    ['a member that is not hashed', replaced(3, { note: 'refunded all' } as object), 3],
    ['a number with a part', replaced(3, { after: { part: 0.25 as never } }), 3],
    ['an object among the values', replaced(3, { after: { part: { a: 'b' } as never } }), 3],
    ['a list of other things than texts', replaced(3, { after: { part: [1] as never } }), 3],
    ['an entry that the hub itself could not read', [...GOOD, { number: 6, unreadable: 'is newer' }], 6],
  ])('finds %s, which it cannot read', async (_, entries, number) => {
    expect(await verify(entries)).toEqual({ status: 1, told: `Entry ${number} cannot be read.` })
  })

  it('finds a repeated member: programs differ in which one they read', async () => {
    const text = linesOf(GOOD).replace('"number":3,', '"number":3,"by":"Bob",')
    expect(await verifyText(text)).toEqual({ status: 1, told: 'Entry 3 cannot be read.' })
    const deep = linesOf(GOOD).replace('"less":-7', '"less":7,"less":-7')
    expect(await verifyText(deep)).toEqual({ status: 1, told: 'Entry 3 cannot be read.' })
  })

  it('finds a line that was cut off', async () => {
    const cut = linesOf(GOOD).trimEnd().slice(0, -20)
    expect(await verifyText(cut)).toEqual({ status: 1, told: 'Entry 5 cannot be read.' })
  })

  it('finds with a kept head that a tail was cut off, or a chain made anew', async () => {
    const heads = GOOD.slice(4).map(headOf)
    expect((await verify(GOOD.slice(0, 3))).status).toBe(0)
    expect(await verify(GOOD.slice(0, 3), heads)).toEqual({
      status: 1,
      told: 'Entry 4 is missing: entry 5 is a head.',
    })
    const anew = chained(TOLD.map((content) => ({ ...content, by: 'Bob' })))
    expect((await verify(anew)).status).toBe(0)
    expect(await verify(anew, heads)).toEqual({ status: 1, told: 'Entry 5 is not the head that was kept.' })
  })
})
