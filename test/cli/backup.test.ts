import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askedHub, problem } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { sampleAnswer } from './sample-answers.ts'

const { asked } = askedHub()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
})
afterEach(() => rm(folder, { recursive: true }))

const ANSWERS: Readonly<Record<string, object>> = {
  '/operator/v1/index/days': { days: ['2026-01-30', '2026-01-31'] },
  '/operator/v1/backup/registry': { rows: [], next: null },
  '/operator/v1/backup/audit': { entries: [], next: null },
}

const NO_JOBS = { jobs: [], counts: [], next: null }

/** A hub with two days of jobs, which fails to return those of the first day. */
function hubWithoutADay(): void {
  asked.mockImplementation(async (url) => {
    const { pathname } = url as URL
    if (pathname.endsWith('2026-01-30')) return problem(503, 'not now')
    const isOfJobs = pathname.endsWith('2026-01-31')
    return Response.json(isOfJobs ? NO_JOBS : (ANSWERS[pathname] ?? sampleAnswer('GET', pathname)))
  })
}

it('a backup skips a day that the hub cannot give, names it, and ends with 1', async () => {
  hubWithoutADay()
  const { code, err } = await runHub(['backup', '--out', folder])
  expect(code).toBe(1)
  expect(err.at(-1)).toContain('jobs-2026-01-30.ndjson')
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  expect(manifest.finished).toBeNull()
  expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([
    'registry.ndjson',
    'jobs-2026-01-31.ndjson',
    'audit.ndjson',
  ])
})

describe('a folder that another person made', () => {
  const HASH = createHash('sha256').update('').digest('hex')
  async function restoring(manifest: object): Promise<string> {
    const whole = {
      format: 1,
      release: '1.0.0',
      hub: 'https://hub',
      begun: '2026-01-31',
      finished: '2026-01-31',
    }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...whole, files: [], ...manifest }))
    const { code, err } = await runHub(['restore', folder])
    expect(code).not.toBe(0)
    expect(asked).not.toHaveBeenCalled()
    return err.join()
  }

  it.each(['registry/../../out/x.ndjson', '/etc/passwd', 'other.ndjson', 'jobs-today.ndjson'])(
    'has no file %s',
    async (name) => {
      const files = [{ name, lines: 0, sha256: HASH }]
      expect(await restoring({ files })).toContain('no file of a backup')
    },
  )

  it('has no links: neither a file nor the manifest leads to one', async () => {
    await writeFile(join(folder, 'secret'), '')
    await symlink(join(folder, 'secret'), join(folder, 'registry.ndjson'))
    const files = [{ name: 'registry.ndjson', lines: 0, sha256: HASH }]
    expect(await restoring({ files })).toContain('no file of its own')
    await rm(join(folder, 'manifest.json'))
    await symlink(join(folder, 'secret'), join(folder, 'manifest.json'))
    expect((await runHub(['restore', folder])).err.join()).toContain('no file of its own')
  })

  it('has not been restored in part when its last line is no job', async () => {
    const texts = { 'audit.ndjson': '', 'registry.ndjson': '', 'jobs-2026-01-31.ndjson': '{"id":1}\n' }
    const files = Object.entries(texts).map(([name, text]) => {
      return { name, lines: 1, sha256: createHash('sha256').update(text).digest('hex') }
    })
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
    expect(await restoring({ files })).toContain('jobs-2026-01-31.ndjson, line 1')
  })

  it('shows nothing of its content, and cannot write to the terminal', async () => {
    await writeFile(join(folder, 'manifest.json'), 'root:x:0:0')
    expect((await runHub(['restore', folder])).err.join()).not.toContain('root')
    const text = 'root:x:0:0\n'
    await writeFile(join(folder, 'audit.ndjson'), text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const told = await restoring({ files: [{ name: 'audit.ndjson', lines: 1, sha256 }] })
    expect(told).toMatch(/audit\.ndjson, line 1: is no JSON/)
    const named = await restoring({ files: [{ name: '\u001b[2J\u202ex', lines: 0, sha256 }] })
    for (const hostile of ['\u001b', '\u202e']) expect(named).not.toContain(hostile)
  })
})
