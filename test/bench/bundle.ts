import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runWrangler } from '../../src/cli/wrangler.ts'

/** Builds the Worker as a deploy does, into a folder. Throws with wrangler's words when that fails. */
export const buildHub = async (folder: string): Promise<void> => {
  const { code, output, errors } = await runWrangler(['deploy', '--dry-run', '--outdir', folder], 'kept')
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
}

/** The bundle in a folder: its size in bytes, as it is and gzipped. Pages have no assets beside it. */
export const bundleSize = async (folder: string): Promise<{ bytes: number; gzipped: number }> => {
  const bundle = await readFile(join(folder, 'index.js'))
  return { bytes: bundle.byteLength, gzipped: gzipSync(bundle, { level: 9 }).byteLength }
}
