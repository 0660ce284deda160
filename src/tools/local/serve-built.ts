import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { readSecrets } from '../secrets.ts'
import { makeStateFolder } from './state-folder.ts'
import { endChildrenWithMe } from './processes.ts'
import { workerOptions } from './worker-options.ts'

/** A hub on this machine. `stateDir` holds its KV, D1 and objects; `secretsFile` its secrets. */
export type LocalHub = { port: number; stateDir: string; secretsFile: string }

/** Serves a hub that is in the folder `bundle` as `build` made it. Its databases must be up to date. */
export async function serveBuilt(
  bundle: string,
  { port, stateDir, secretsFile }: LocalHub,
): Promise<{ stop: () => Promise<void> }> {
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
