import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packClient } from '../../src/tools/pack-client.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'

/** Where the packed client is unpacked, as `npm install` would. */
export const PACKED = join(PROJECT, 'node_modules', '.cache', 'packed-client')

export default async function setup(): Promise<void> {
  rmSync(PACKED, { recursive: true, force: true })
  mkdirSync(PACKED, { recursive: true })
  const file = await packClient(PACKED)
  execFileSync('tar', ['-xzf', file, '-C', PACKED])
}
