import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The size of the Worker that was built into a folder, in bytes: as it is and gzipped. */
export async function bundleSize(folder: string): Promise<{ bytes: number; gzipped: number }> {
  const bundle = await readFile(join(folder, 'index.js'))
  return { bytes: bundle.byteLength, gzipped: gzipSync(bundle, { level: 9 }).byteLength }
}
