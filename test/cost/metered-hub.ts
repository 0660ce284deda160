import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerOptions } from '../../src/local/worker-options.ts'
import { makeSecrets, readSecrets } from '../../src/programs/secrets.ts'
import { startRuntime } from '../bench/runtime.ts'
import type { Built } from '../e2e/built-hub.ts'
import { build } from '../../src/local/serve.ts'

const ENTRY = fileURLToPath(new URL('worker/metered-hub.ts', import.meta.url))

/** Builds the hub that counts its operations into a folder. */
export function buildMetered(folder: string): Promise<void> {
  return build(folder, ENTRY)
}

/** A hub on this machine that counts its operations. Its state is in a folder that is deleted with it. */
export async function startMeteredHub({ bundle, stateDir: empty }: Built) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  const [stateDir, secretsFile] = [join(folder, 'state'), join(folder, 'secrets')] as const
  await cp(empty, stateDir, { recursive: true })
  makeSecrets(secretsFile)
  const secrets = readSecrets(secretsFile)
  const options = await workerOptions(bundle, { ...secrets, LOOPBACK_URLS: 'allowed' }, 'metered-hub.js')
  const { url, pids, stop } = await startRuntime(options, join(stateDir, 'v3'))
  return {
    url,
    operatorToken: String(secrets['OPERATOR_TOKEN']),
    pids,
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
