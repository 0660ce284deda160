import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT } from '../src/programs/wrangler.ts'

let built: Promise<unknown> | undefined

/** Makes the files that wrangler.toml's [assets] names, once: no runtime starts without them. */
export function buildSite(): Promise<unknown> {
  return (built ??= promisify(execFile)(process.execPath, [join(PROJECT, 'src/build/build-site.ts')]))
}
