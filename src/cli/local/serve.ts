import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { build } from './build.ts'
import { readDatabases } from '../databases.ts'
import { readSecrets } from '../secrets.ts'
import { makeStateFolder } from './state-folder.ts'
import { endChildrenWithMe } from './watchdog.ts'
import { workerOptions } from './worker-options.ts'
import { runWrangler } from '../wrangler.ts'

/** A hub on this machine. `stateDir` holds its KV, D1 and objects; `secretsFile` its secrets. */
export type LocalHub = { port: number; stateDir: string; secretsFile: string }

/** Brings the local databases up to date. Throws with wrangler's words when that fails. */
export const migrate = async (stateDir: string): Promise<void> => {
  makeStateFolder(stateDir)
  for (const { binding } of readDatabases()) {
    const { code, output, errors } = await runWrangler(
      ['d1', 'migrations', 'apply', binding, '--local', '--persist-to', stateDir],
      'captured',
    )
    if (code !== 0)
      throw new Error(`the local database ${binding} could not be migrated:\n${output}${errors}`)
  }
}

/**
 * Serves the hub in the runtime itself, without the proxy of `wrangler dev`: that ends, and the hub with it, when one
 * client breaks off in the middle of a body. Loopback addresses are allowed for `return_url` and `report_url`, with
 * http and any port.
 */
export const serve = async ({
  port,
  stateDir,
  secretsFile,
}: LocalHub): Promise<{ stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-build-'))
  try {
    await Promise.all([build(folder), migrate(stateDir)])
    return await serveBuilt(folder, { port, stateDir, secretsFile })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Serves a hub that is in the folder `bundle` as `build` made it. Its databases must be up to date. */
export const serveBuilt = async (
  bundle: string,
  { port, stateDir, secretsFile }: LocalHub,
): Promise<{ stop: () => Promise<void> }> => {
  makeStateFolder(stateDir)
  const values = { ...readSecrets(secretsFile), LOOPBACK_URLS: 'allowed', JURISDICTION: '' }
  const runtime = new Miniflare({
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.INFO, { prefix: 'hub' }),
    handleStructuredLogs: ({ level, message }) => console.log(`[hub:${level}] ${message}`),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [await workerOptions(bundle, values)],
  })
  await runtime.ready
  endChildrenWithMe()
  return { stop: () => runtime.dispose() }
}
