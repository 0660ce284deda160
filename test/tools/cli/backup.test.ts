import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

/** A hub with two days of jobs. It cannot give those of the first. */
function hubWithoutADay(): void {
  asked.mockImplementation(async (url) => {
    const { pathname } = url as URL
    if (pathname.endsWith('2026-01-30')) return problem(503, 'not now')
    const isOfJobs = pathname.endsWith('2026-01-31')
    return Response.json(isOfJobs ? NO_JOBS : (ANSWERS[pathname] ?? sampleAnswer('GET', pathname)))
  })
}

it('a backup goes on past a day that the hub cannot give, names it, and ends with 1', async () => {
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
