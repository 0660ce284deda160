import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHub, startHubAnywhere } from '../../src/local/local-hub.ts'
import { makeSecrets, readSecrets } from '../../src/programs/secrets.ts'
import { killTree } from './process-tree.ts'

/** A local hub that can be killed, and started again on the state that it left behind. */
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
    /** Ends Node and workerd at once, as a power cut does: nothing gets to finish what it does. */
    kill: () => killTree(hub.pid),
    /** Ends as a signal ends it. */
    stop: () => hub.stop(),
    /** Starts again; with another program, such as that of another release. */
    restart: async (program?: Parameters<typeof startHub>[1]) => {
      hub = await startHub({ ...place, port }, program)
    },
    /** What it has logged since it was started last. */
    output: () => hub.output(),
    close: async () => {
      await hub.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
