import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { replay } from '../../src/job/core/replay.ts'
import { compareLines } from '../../src/rehearsal/compare.ts'
import { linesOf } from '../../src/rehearsal/journals.ts'
import { readMeant } from '../../src/rehearsal/meant.ts'
import { showRehearsal } from '../../src/rehearsal/rehearse-backup.ts'
import { judge, rehearseWith } from '../../src/rehearsal/rehearse.ts'
import { textOf } from '../../src/programs/view.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { RELEASES, backedUp, part, seenBefore } from './corpus.ts'
import { backupOf } from './record.ts'

const PART = part()

async function* seenNow(journals: typeof PART): AsyncGenerator<string> {
  for (const journal of journals) yield* linesOf(journal, replay)
}

function lineOf(journal: (typeof PART)[number]): string {
  return backedUp([journal])
}

it('what releases stored means the same as for the newest one, except for the changes in rehearsal.json', async () => {
  const compared = await compareLines(seenBefore(), seenNow(PART), {})
  expect(compared.jobs).toBe(PART.length)
  const { changes } = judge(compared, readMeant(), false)
  expect(changes.filter(({ meant }) => meant === null)).toEqual([])
})

it('the changelog of a release has each sentence of its rehearsal.json', () => {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
  const changelog = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8')
  const [, newest] = /^## ([\d.]+)/m.exec(changelog) ?? []
  // The next release has no chapter until it is made.
  if (newest === RELEASES[0]) return
  for (const { note } of readMeant()) expect(plain(changelog)).toContain(plain(note))
})

it('the rules use no clock, no random numbers and no environment: they play without them', () => {
  const broken = () => {
    throw new Error('a rule looked around')
  }
  const spies = [
    vi.spyOn(Date, 'now').mockImplementation(broken),
    vi.spyOn(Math, 'random').mockImplementation(broken),
    vi.spyOn(crypto, 'randomUUID').mockImplementation(broken),
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(broken),
    vi.spyOn(performance, 'now').mockImplementation(broken),
  ]
  try {
    const play = () => PART.slice(0, 40).flatMap((journal) => [...linesOf(journal, replay)])
    const [once, again] = [play(), play()]
    expect(once.filter((line) => line.includes('looked around'))).toEqual([])
    expect(again).toEqual(once)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
})

describe('a backup', () => {
  const [journal, other] = PART.filter(({ entries }) => entries.length > 2)
  if (!journal || !other) throw new Error('the corpus is empty')

  async function played(text: string, change?: (folder: string) => void, job?: string) {
    const folder = await backupOf(text)
    try {
      change?.(folder)
      return await rehearseWith(PROJECT, folder, { job })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it('shows no change against the same rules', async () => {
    const found = await played(backedUp(PART))
    expect(found).toMatchObject({ jobs: PART.length, changes: [], wrong: [], isCut: false })
  })

  it('with a truncated file is reported, and the rest is played', async () => {
    const text = lineOf(journal) + lineOf(other)
    const found = await played(text, (folder) =>
      writeFileSync(join(folder, 'jobs-2030-01-10.ndjson'), text.slice(0, -200)),
    )
    expect(found).toMatchObject({ jobs: 1, changes: [] })
    expect(found.wrong).toEqual([
      expect.stringContaining('jobs-2030-01-10.ndjson is not what the backup wrote'),
      expect.stringContaining('jobs-2030-01-10.ndjson, line 2'),
    ])
  })

  it('with another kind of file is reported', async () => {
    const found = await played(lineOf(journal), (folder) => writeFileSync(join(folder, 'notes.txt'), ''))
    expect(found.wrong).toEqual([expect.stringContaining('notes.txt')])
  })

  it('with an entry that no release can read says where, and why', async () => {
    const later = {
      key: `00000${journal.entries.length + 1}`.slice(-6),
      value: { version: 9, at: 1, facts: [] },
    }
    const long = { ...journal, entries: [...journal.entries, later] }
    const found = await played(lineOf(long) + lineOf(other))
    const first = { job: journal.id, entry: long.entries.length }
    expect(found.changes).toMatchObject([
      { kind: 'fold', change: expect.stringContaining('format 9'), first },
    ])
    expect(found.jobs).toBe(2)
  })

  it('that lacks an entry says which', async () => {
    const entries = journal.entries.filter((_, at) => at !== 1)
    const found = await played(lineOf({ ...journal, entries }))
    expect(found.changes).toMatchObject([{ kind: 'fold', change: 'lacks entry 2', first: { entry: 2 } }])
  })

  it('can be played for a single job', async () => {
    expect(await played(backedUp(PART), undefined, other.id)).toMatchObject({ jobs: 1 })
  })
})

describe('what two releases make of a journal', () => {
  const JOB = '0b7a2f6e-5e0f-4f64-9d5e-2f1f0a9f3c11'
  const line = (seen: object, job = JOB) => JSON.stringify([job, 1, { fold: 'read', ...seen }])

  async function compared(before: object[], after: object[], showOrders = false) {
    const older = before.map((seen) => line(seen)).values()
    async function* newer() {
      for (const seen of after) yield line(seen)
    }
    const asynchronous = (async function* () {
      yield* older
    })()
    return compareLines(asynchronous, newer(), { showOrders })
  }

  it.each([
    ['a change of a word', { why: { cause: 'a-b' } }, { why: { cause: 'b-a' } }, ['why', 'cause: a-b → b-a']],
    [
      'a later time',
      { duties: { ask: [5] } },
      { duties: { ask: [7] } },
      ['duties', 'ask[]: a higher number'],
    ],
    ['something that is gone', { row: { paidAfter: null } }, { row: {} }, ['row', 'paidAfter: null → none']],
    [
      'a new fact',
      { decisions: {} },
      { decisions: { expired: [{}] } },
      ['decisions', 'expired: none → a list'],
    ],
  ])('is reported as %s', async (_, before, after, [kind, change]) => {
    expect((await compared([before], [after])).changes).toMatchObject([{ kind, change, jobs: 1 }])
  })

  it.each([
    ['the order of members', { row: { a: 1, b: 2 } }, { row: { b: 2, a: 1 } }],
    ['a new member that says nothing', { row: {} }, { row: { alsoPaidBy: null, others: [] } }],
  ])('is the same whatever %s', async (_, before, after) => {
    expect((await compared([before], [after])).changes).toEqual([])
  })

  it('is one change for all its jobs, and names the first', async () => {
    const jobs = [1, 2, 3].map((number) => JOB.slice(0, -1) + number)
    const lines = (cause: string) =>
      (async function* () {
        for (const job of jobs) for (const _ of [1, 2]) yield line({ why: { cause } }, job)
      })()
    const { changes } = await compareLines(lines('paid'), lines('expired'), {})
    expect(changes).toMatchObject([{ jobs: 3, first: { job: jobs[0], before: 'paid', after: 'expired' } }])
  })

  it('is compared up to what only the newer one can read, and that is counted', async () => {
    const older = [line({ why: { cause: 'paid' } }), JSON.stringify([JOB, 2, { fold: 'entry 2 is unknown' }])]
    const newer = [line({ why: { cause: 'paid' } }), JSON.stringify([JOB, 2, { fold: 'read', why: {} }])]
    const linesOfOne = async function* (lines: string[]) {
      yield* lines
    }
    const found = await compareLines(linesOfOne(older), linesOfOne(newer), {})
    expect(found).toMatchObject({ jobs: 1, entries: 2, later: 1, changes: [] })
  })

  it('is compared by what both releases look at, and the rest is named', async () => {
    const after = { why: { cause: 'paid' }, allows: { cancel: '' } }
    for (const [one, other] of [
      [{ why: { cause: 'expired' } }, after],
      [after, { why: { cause: 'expired' } }],
    ] as const) {
      const found = await compared([one], [other])
      expect(found).toMatchObject({ uncompared: ['allows'], changes: [{ kind: 'why' }] })
      expect(textOf(showRehearsal({ ...judge(found, [], false), against: '1.1.0' }))).toContain('allows')
    }
  })

  it('shows nothing that a shop or a customer wrote, unless asked to', async () => {
    const before = { answer: { job: { orderNumber: 'Jansen', returnUrl: 'https://shop.nl/jansen' } } }
    const after = { answer: { job: { orderNumber: 'Janssen', returnUrl: 'https://shop.nl/janssen' } } }
    const hidden = await compared([before], [after])
    expect(JSON.stringify(hidden)).not.toMatch(/jans/i)
    expect(hidden.changes).toHaveLength(2)
    expect(JSON.stringify(await compared([before], [after], true))).toMatch(/Janssen/)
  })
})
