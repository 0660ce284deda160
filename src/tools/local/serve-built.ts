import { join } from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { readSecrets } from '../secrets.ts'
import { makeStateFolder } from './state-folder.ts'
import { endChildrenWithMe } from './processes.ts'
import { workerOptions } from './worker-options.ts'

/** A hub on this machine. `stateDir` holds its KV, D1 and objects; `secretsFile` its secrets. */
export type LocalHub = { port: number; stateDir: string; secretsFile: string }

/** A hub that runs. `refresh` starts it again with the files that the site has by then. */
export type Served = { stop: () => Promise<void>; refresh: () => Promise<void> }

/** Serves a hub that is in the folder `bundle` as `build` made it. Its databases must be up to date. */
export async function serveBuilt(bundle: string, { port, stateDir, secretsFile }: LocalHub): Promise<Served> {
  makeStateFolder(stateDir)
  const values = { ...readSecrets(secretsFile), LOOPBACK_URLS: 'allowed', JURISDICTION: '' }
  const options: MiniflareOptions = {
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.INFO, { prefix: 'hub' }),
    handleStructuredLogs: ({ level, message }) => console.log(`[hub:${level}] ${message}`),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [await workerOptions(bundle, values)],
  }
  const runtime = new Miniflare(options)
  await runtime.ready
  endChildrenWithMe()
  return { stop: () => runtime.dispose(), refresh: () => runtime.setOptions(options) }
}
