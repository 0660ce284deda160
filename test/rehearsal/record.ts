import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync, spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { withRelease } from '../../src/rehearsal/work-tree.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { SEEN, backedUp, journalsOf, part } from './corpus.ts'
import { situations, storedOf } from './situations.ts'

/** Writes a text into a new folder, as a backup of one file. */
export async function backupOf(text: string, name = 'jobs-2030-01-10.ndjson'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'payment-hub-rehearsal-'))
  const files = [{ name, lines: text.split('\n').length - 1, sha256: await sha256(text) }]
  const [begun, finished] = ['2030-01-11T02:00:00.000Z', '2030-01-11T02:00:01.000Z']
  writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ format: 1, release: '1.0.0', hub: 'https://hub.example.com', begun, finished, files }),
  )
  return folder
}

/** Returns a backup of what this checkout's simulation stores, and of some situations of a payment. */
function ownJournals(): string {
  const made = situations().map((job, place) => {
    const id = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`
    return { id, entries: storedOf(job) }
  })
  const words = ['test/simulation/simulate.ts', '--journals', '--seeds', '600']
  const out = execFileSync(process.execPath, words, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const played = out.split('\n').filter((line) => line.startsWith('{"id"'))
  return backedUp(made) + played.map((line) => `${line}\n`).join('')
}

/** Records what a release makes of the part of the corpus that each run of the tests plays. */
async function recordSeen(ref: string): Promise<void> {
  const folder = await backupOf(backedUp(part()))
  const player = join(PROJECT, 'src', 'rehearsal', 'player.ts')
  await withRelease(ref, async (tree) => {
    const { stdout } = spawn(process.execPath, [player, tree, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await pipeline(stdout, createGzip({ level: 9 }), createWriteStream(SEEN))
  })
  rmSync(folder, { recursive: true })
}

/**
 * `node test/rehearsal/record.ts journals VERSION`, in the checkout of a release: records its own journals.
 * `node test/rehearsal/record.ts seen REF`: records what a release makes of the corpus.
 */
if (import.meta.main) {
  const [, , what, name = ''] = process.argv
  if (what === 'journals') writeFileSync(journalsOf(name), gzipSync(ownJournals(), { level: 9 }))
  else await recordSeen(name)
}
