import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHub, startHubAnywhere } from '../../src/local/local-hub.ts'
import { makeSecrets, readSecrets } from '../../src/programs/secrets.ts'

const SERVE_BUILT = fileURLToPath(new URL('serve-built.ts', import.meta.url))

/** Two folders: the Worker's bundle as deployed, and the state of an empty hub. */
export type Built = { bundle: string; stateDir: string }

/** A fresh hub on a free port, with new secrets or those of a file. Stopping it removes everything. */
export async function startBuiltHub({ bundle, stateDir: empty }: Built, secretsOf?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const [stateDir, secretsFile] = [join(folder, 'state'), join(folder, 'secrets')] as const
    await cp(empty, stateDir, { recursive: true })
    if (secretsOf === undefined) makeSecrets(secretsFile)
    else await cp(secretsOf, secretsFile)
    const place = { stateDir, secretsFile }
    const program = [SERVE_BUILT, `--bundle=${bundle}`] as const
    const { port, ...first } = await startHubAnywhere(place, program)
    let hub = first
    const stop = async () => {
      await hub.stop()
      await remove()
    }
    /** Starts the hub again with its objects and KV, but a D1 whose tables are empty. */
    const loseD1 = async () => {
      await hub.stop()
      await rm(join(stateDir, 'v3', 'd1'), { recursive: true })
      await cp(join(empty, 'v3', 'd1'), join(stateDir, 'v3', 'd1'), { recursive: true })
      hub = await startHub({ ...place, port }, program)
    }
    const secrets = readSecrets(secretsFile)
    return { url: hub.url, secrets, secretsFile, loseD1, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
