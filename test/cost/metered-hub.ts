import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { build } from '../../src/tools/local/build.ts'
import { freePort } from '../../src/tools/local/free-port.ts'
import { makeSecrets, readSecrets } from '../../src/tools/secrets.ts'
import { runtimes } from '../../src/tools/local/processes.ts'
import { workerOptions } from '../../src/tools/local/worker-options.ts'
import type { Built } from '../e2e/built-hub.ts'

const ENTRY = fileURLToPath(new URL('worker/metered-hub.ts', import.meta.url))

/** Builds the hub that counts what it does into a folder. */
export function buildMetered(folder: string): Promise<void> {
  return build(folder, ENTRY)
}

/** A hub on this machine that counts what it does. Its state is in a folder that goes with it. */
export async function startMeteredHub({ bundle, stateDir: empty }: Built) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  const [stateDir, secretsFile] = [join(folder, 'state'), join(folder, 'secrets')] as const
  await cp(empty, stateDir, { recursive: true })
  makeSecrets(secretsFile)
  const secrets = readSecrets(secretsFile)
  const others = new Set(runtimes())
  const port = await freePort()
  const runtime = new Miniflare({
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [await workerOptions(bundle, { ...secrets, LOOPBACK_URLS: 'allowed' }, 'metered-hub.js')],
  })
  await runtime.ready
  const pids = runtimes().filter((pid) => !others.has(pid))
  const stop = async () => {
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    url: `http://127.0.0.1:${port}`,
    operatorToken: String(secrets['OPERATOR_TOKEN']),
    pids: () => pids,
    stop,
  }
}
