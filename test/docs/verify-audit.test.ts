import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type AuditContent,
  type AuditEntry,
  BEFORE_ALL,
  canonicalEntry,
  entryContent,
} from '../../src/audit/audit-chain.ts'

const VERIFIER = join(import.meta.dirname, '..', '..', 'docs', 'verify-audit.py')
const hasPython = spawnSync('python3', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'payment-hub-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const WHO = { by: 'Zoë 🧾', role: 'operator', via: 'token', request: 'r-1' }
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

/** The chain of these, as the log makes it. */
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

function write(name: string, lines: readonly object[]): string {
  const file = join(folder, name)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

function verify(entries: readonly object[], heads: readonly object[] = []) {
  const { status, stdout, stderr } = spawnSync(
    'python3',
    [VERIFIER, write('export.ndjson', entries), write('heads.ndjson', heads)],
    { encoding: 'utf8' },
  )
  return { status, told: (stdout + stderr).trim() }
}

function replaced(number: number, change: Partial<AuditEntry>): AuditEntry[] {
  return GOOD.map((entry) => (entry.number === number ? { ...entry, ...change } : entry))
}
function without(number: number): AuditEntry[] {
  return GOOD.filter((entry) => entry.number !== number)
}

it('the example of the documents is what the hub hashes', () => {
  const page = readFileSync(join(VERIFIER, '..', 'audit.md'), 'utf8')
  const [, json = '', text = ''] = /```json\n([^`]*)```[^`]*```\n(.*)\n```/.exec(page) ?? []
  const entry = JSON.parse(json) as AuditEntry
  expect(canonicalEntry(entry)).toBe(text)
  expect(createHash('sha256').update(text).digest('hex')).toBe(entry.hash)
})

describe.skipIf(!hasPython)('the verifier in Python (skipped where there is no python3)', () => {
  it('finds an export of the log right, whole or in part, with the heads of its days', () => {
    expect(verify(GOOD)).toEqual({ status: 0, told: '5 entries are right. The last is entry 5.' })
    expect(verify(GOOD, GOOD.map(headOf)).status).toBe(0)
    expect(verify(GOOD.slice(2)).status).toBe(0)
    expect(verify([]).status).toBe(0)
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
  ])('finds %s', (_, entries, told) => {
    expect(verify(entries)).toEqual({ status: 1, told })
  })

  it.each<[string, readonly object[], number]>([
    ['an entry without its hash', [{ ...GOOD[0], hash: undefined }], 1],
    ['a value of another kind', replaced(3, { at: 5 as never }), 3],
    ['a line that is no entry', [...GOOD, ['x']], 6],
    ['a file that is no export', [{}], 1],
  ])('finds %s, which it cannot read', (_, entries, number) => {
    expect(verify(entries)).toEqual({ status: 1, told: `Entry ${number} cannot be read.` })
  })

  it('finds a line that was cut off', () => {
    const file = write('cut.ndjson', GOOD)
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd().slice(0, -20))
    const { status, stderr } = spawnSync('python3', [VERIFIER, file], { encoding: 'utf8' })
    expect([status, stderr.trim()]).toEqual([1, 'Entry 5 cannot be read.'])
  })

  it('finds a tail that was cut off, and a chain that was made anew, by a head that was kept', () => {
    const heads = GOOD.slice(4).map(headOf)
    expect(verify(GOOD.slice(0, 3))).toMatchObject({ status: 0 })
    expect(verify(GOOD.slice(0, 3), heads)).toEqual({
      status: 1,
      told: 'Entry 4 is missing: entry 5 is a head.',
    })
    const anew = chained(TOLD.map((content) => ({ ...content, by: 'Bob' })))
    expect(verify(anew).status).toBe(0)
    expect(verify(anew, heads)).toEqual({ status: 1, told: 'Entry 5 is not the head that was kept.' })
  })
})
