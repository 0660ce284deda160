import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, projectSettings } from './migrate.ts'
import { type LocalHub, type Served, serveBuilt } from './serve-built.ts'
import { runWrangler } from '../wrangler.ts'
import { writeSettings } from './worker-options.ts'

/**
 * Serves the hub in the runtime itself, without the proxy of `wrangler dev`: that ends, and the hub
 * with it, when one client breaks off in the middle of a body. Loopback addresses are allowed for
 * `return_url` and `report_url`, with http and any port.
 */
export async function serve(hub: LocalHub): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-build-'))
  try {
    await Promise.all([build(folder), migrate(hub.stateDir)])
    return await serveBuilt(folder, hub)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Builds the Worker as a deploy does, into a folder, with the settings to run it with on this
 * machine: that of wrangler.toml, or with other arguments, such as the file it begins in. Throws
 * with wrangler's words when that fails.
 */
export async function build(folder: string, ...others: string[]): Promise<void> {
  const { code, output, errors } = await runWrangler(
    ['deploy', ...others, '--dry-run', '--outdir', folder],
    'captured',
    // They take VitePress some seconds, and the hub runs without them: dev.ts makes them once it
    // runs.
    { DOCS: 'none' },
  )
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
  await writeSettings(folder, projectSettings())
}
