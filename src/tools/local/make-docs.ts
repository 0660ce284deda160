import { spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { join } from 'node:path'
import { MARK, readMark } from '../site/sources-hash.ts'
import { PROJECT } from '../wrangler.ts'

const BUILD_SITE = join(PROJECT, 'src', 'tools', 'site', 'build-site.ts')
const DOCS = join(PROJECT, '.wrangler', 'site', 'docs')

/**
 * Makes the docs where their sources changed, in a process beside the hub, which runs meanwhile.
 * Calls `whenNew` for new docs, also for those that another build makes later: the names of their
 * files differ, and the hub knows files by the names they had. Returns what ends the process.
 */
export function makeDocs(whenNew: () => void): () => void {
  let [, known] = readMark(DOCS)
  watchFile(join(DOCS, MARK), { interval: 500 }, () => {
    const [, made] = readMark(DOCS)
    if (made === undefined || made === known) return
    known = made
    whenNew()
  })
  const child = spawn(process.execPath, [BUILD_SITE], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.on('close', (code) => {
    if (code !== null && code !== 0) console.error(`The documents could not be built:\n${output}`)
  })
  return () => child.kill()
}
