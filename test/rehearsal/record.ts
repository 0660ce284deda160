import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { withRelease } from '../../src/rehearsal/work-tree.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { CORPUS, SEEN, textOf } from './corpus.ts'

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

/** `node test/rehearsal/record.ts REF`: records what a release makes of the corpus. */
if (import.meta.main) {
  const folder = await backupOf(textOf(CORPUS))
  const player = join(PROJECT, 'src', 'rehearsal', 'player.ts')
  await withRelease(process.argv[2], async (tree) => {
    const { stdout } = spawn(process.execPath, [player, tree, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await pipeline(stdout, createGzip({ level: 9 }), createWriteStream(SEEN))
  })
  rmSync(folder, { recursive: true })
}
