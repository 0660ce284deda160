import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rehearseWith } from '../../src/rehearsal/rehearse.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { backupOf } from './record.ts'
import { corpus } from './corpus.ts'

const [JOURNAL] = corpus()
const LINE = `${JSON.stringify({ id: JOURNAL?.id, stored: JOURNAL?.entries })}\n`

let folder: string
let tree: string
beforeEach(async () => {
  folder = await backupOf(LINE)
  tree = mkdtempSync(join(tmpdir(), 'other-release-'))
  mkdirSync(join(tree, 'src', 'job', 'core'), { recursive: true })
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const made of [folder, tree]) rmSync(made, { recursive: true })
})

it('the code of another release gets no secret of the operator, and does not run in their folder', async () => {
  vi.stubEnv('OPERATOR_TOKEN', 'the-secret')
  const seen = '[Object.keys(process.env).toSorted(), JSON.stringify(process.env), process.cwd()]'
  const code = `export function* replay(entries) { for (const _ of entries) yield { fold: 'read', answer: ${seen} } }`
  writeFileSync(join(tree, 'src', 'job', 'core', 'replay.ts'), code)
  const { changes } = await rehearseWith(tree, folder, { showOrders: true, kinds: ['answer'] })
  const shown = JSON.stringify(changes)
  expect(shown).toContain('HOME')
  for (const own of ['the-secret', 'OPERATOR_TOKEN', process.cwd()]) expect(shown).not.toContain(own)
})

it('a link in the folder of a backup is refused, and not read', async () => {
  const outside = join(tree, 'outside.ndjson')
  writeFileSync(outside, LINE)
  const name = join(folder, 'jobs-2030-01-10.ndjson')
  rmSync(name)
  symlinkSync(outside, name)
  const found = await rehearseWith(PROJECT, folder, {})
  expect(found).toMatchObject({ jobs: 0, changes: [] })
  expect(found.wrong).toContainEqual(expect.stringContaining('no file of its own'))
})
