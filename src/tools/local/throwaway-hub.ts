import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHubAnywhere } from './local-hub.ts'
import { makeSecrets, readSecrets } from '../secrets.ts'

/** A fresh hub on a free port. Stopping it removes its state and its secrets. */
export async function startThrowawayHub() {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const secretsFile = join(folder, 'secrets')
    makeSecrets(secretsFile)
    const hub = await startHubAnywhere({ stateDir: join(folder, 'state'), secretsFile })
    const stop = async () => {
      await hub.stop()
      await remove()
    }
    return { url: hub.url, secrets: readSecrets(secretsFile), stop }
  } catch (error) {
    await remove()
    throw error
  }
}
