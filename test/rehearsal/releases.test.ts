import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Rehearsal } from '../../src/rehearsal/rehearse.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { type Clone, makeClone } from '../deploy/clone.ts'
import { backedUp, corpus, part } from './corpus.ts'
import { backupOf } from './record.ts'

let clone: Clone
let backup: string
beforeAll(async () => {
  clone = await makeClone()
  backup = await backupOf(backedUp(part().slice(0, 200)))
  writeFileSync(join(clone.folder, 'rehearsal.json'), '[]')
  writeFileSync(join(clone.folder, '.gitignore'), 'node_modules\n.wrangler\n')
  git('init', '--quiet')
  git('add', '.')
  git(
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '--quiet',
    '--message',
    'The release before',
  )
  git('tag', 'v1.0.0')
}, 60_000)
afterEach(() => git('checkout', '--quiet', '--', 'src'))
afterAll(async () => {
  rmSync(backup, { recursive: true })
  await clone.remove()
})

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: clone.folder, encoding: 'utf8' })
}

function plant(file: string, rule: string, changed: string): void {
  const path = join(clone.folder, 'src', 'job', 'core', `${file}.ts`)
  const source = readFileSync(path, 'utf8')
  expect(source.split(rule)).toHaveLength(2)
  writeFileSync(path, source.replace(rule, changed))
}

async function rehearsed(...words: string[]): Promise<Rehearsal & { code: number | null }> {
  const { code, out, err } = await clone.hub(['rehearse', backup, '--json', ...words], {})
  expect(out, err).not.toBe('')
  return { code, ...(JSON.parse(out) as Rehearsal) }
}

function trees(): string[] {
  return readdirSync(join(clone.folder, '.wrangler', 'rehearse'))
}

it('a release shows no change against itself, and leaves nothing behind', async () => {
  expect(await rehearsed()).toMatchObject({ code: 0, against: 'v1.0.0', jobs: 200, changes: [], wrong: [] })
  expect(trees()).toEqual([])
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
})

describe('a changed rule', () => {
  it('is no failure if it is intended, or not compared', async () => {
    plant('schedule', "ASK_UNVISITED = times('10m')", "ASK_UNVISITED = times('11m')")
    const { changes } = await rehearsed()
    expect(await rehearsed('--kinds', 'why,row')).toMatchObject({ code: 0, changes: [] })
    const lines = changes.map(({ kind, change }) => ({ kind, changes: [change], note: 'Later.' }))
    const unused = { kind: 'why', changes: ['cause: paid → *'], note: 'No job shows it.' }
    const meant = join(clone.folder, 'rehearsal.json')
    writeFileSync(meant, JSON.stringify([...lines, unused]))
    expect(await rehearsed()).toMatchObject({ code: 0, unused: [{ kind: 'why' }] })
    writeFileSync(meant, '[]')
  })

  it('deploys nothing', async () => {
    plant('row', 'paid: paidOf(state)', 'paid: order.amount')
    const { code, out, err } = await clone.deploy(['--rehearse', backup], {
      CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1',
    })
    expect([code, out]).toEqual([1, expect.stringContaining('row: ')])
    expect(err).toContain('Nothing was deployed')
    expect(existsSync(join(clone.folder, '.hub'))).toBe(false)
  })
})

it('an unknown release is a usage error', async () => {
  expect(await clone.hub(['rehearse', backup, '--against', 'v9.9.9'], {})).toMatchObject({ code: 2 })
})

it('the next rehearsal removes what a killed one left behind', async () => {
  const hub = join(clone.folder, 'src', 'cli', 'hub.ts')
  const child = spawn(process.execPath, [hub, 'rehearse', backup], { cwd: clone.folder, stdio: 'ignore' })
  await vi.waitFor(() => expect(trees()).toHaveLength(1), { timeout: 20_000, interval: 10 })
  child.kill('SIGKILL')
  await rehearsed()
  expect(trees()).toEqual([])
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
})

it(
  'all that releases stored means the same as for the newest one, except for the changes in rehearsal.json',
  { timeout: 300_000 },
  async () => {
    const corpusBackup = await backupOf(backedUp(corpus()))
    try {
      const out = execFileSync(
        process.execPath,
        [join(PROJECT, 'src', 'cli', 'hub.ts'), 'rehearse', corpusBackup, '--json'],
        { encoding: 'utf8', maxBuffer: 2 ** 26 },
      )
      const found = JSON.parse(out) as Rehearsal
      expect(found).toMatchObject({ jobs: corpus().length, unused: [], wrong: [] })
      expect(found.changes.filter(({ meant }) => meant === null)).toEqual([])
    } finally {
      rmSync(corpusBackup, { recursive: true })
    }
  },
)
