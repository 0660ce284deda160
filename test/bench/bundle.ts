import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The bundle in a folder: its size in bytes, as it is and gzipped. Pages have no assets beside it. */
export const bundleSize = async (folder: string): Promise<{ bytes: number; gzipped: number }> => {
  const bundle = await readFile(join(folder, 'index.js'))
  return { bytes: bundle.byteLength, gzipped: gzipSync(bundle, { level: 9 }).byteLength }
}
