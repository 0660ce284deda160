import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { migrate } from './migrate.ts'
import { type LocalHub, type Served, serveBuilt } from './serve-built.ts'

/**
 * Serves the hub in the runtime itself, without the proxy of `wrangler dev`: that ends, and the hub with it, when one
 * client breaks off in the middle of a body. Loopback addresses are allowed for `return_url` and `report_url`, with
 * http and any port.
 */
export async function serve({ port, stateDir, secretsFile }: LocalHub): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-build-'))
  try {
    await Promise.all([build(folder), migrate(stateDir)])
    return await serveBuilt(folder, { port, stateDir, secretsFile })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
