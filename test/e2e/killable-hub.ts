import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHub, startHubAnywhere } from '../../src/local/local-hub.ts'
import { makeSecrets, readSecrets } from '../../src/programs/secrets.ts'
import { killTree } from './process-tree.ts'

/** A local hub that can be killed and started again with the state that it left. */
export async function openKillableHub() {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-kill-'))
  const secretsFile = join(folder, 'secrets')
  makeSecrets(secretsFile)
  const place = { stateDir: join(folder, 'state'), secretsFile }
  const { port, ...first } = await startHubAnywhere(place)
  let hub = first
  return {
    url: hub.url,
    secrets: readSecrets(secretsFile),
    /** Kills Node and workerd at once, like a power cut: neither can finish its work. */
    kill: () => killTree(hub.pid),
    /** Ends the hub with a signal. */
    stop: () => hub.stop(),
    /** Starts the hub again, with another program if given, such as that of another release. */
    restart: async (program?: Parameters<typeof startHub>[1]) => {
      hub = await startHub({ ...place, port }, program)
    },
    /** The log since the last start. */
    output: () => hub.output(),
    close: async () => {
      await hub.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
