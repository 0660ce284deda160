import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A module of the bundle in a folder, the Worker's own if not named: its size in bytes, as it is and gzipped. */
export async function bundleSize(
  folder: string,
  module = 'index.js',
): Promise<{ bytes: number; gzipped: number }> {
  const bundle = await readFile(join(folder, module))
  return { bytes: bundle.byteLength, gzipped: gzipSync(bundle, { level: 9 }).byteLength }
}
