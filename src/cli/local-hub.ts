import { once } from 'node:events'
import type { StdioOptions } from 'node:child_process'
import { PROJECT, runWrangler, spawnWrangler } from './wrangler.ts'

/** A hub on this machine. `stateDir` holds its KV, D1 and objects; `secretsFile` its secrets. */
export type LocalHub = { port: number; stateDir: string; secretsFile: string }

const START_DEADLINE = 60_000

/** Brings the local database up to date. Throws with wrangler's words when that fails. */
export const migrateLocal = async (stateDir: string): Promise<void> => {
  const { code, output, errors } = await runWrangler(
    ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDir],
    'kept',
  )
  if (code !== 0) throw new Error(`the local database could not be migrated:\n${output}${errors}`)
}

/** Starts the hub. Loopback addresses are allowed in it for `return_url` and `report_url`, with http and any port. */
export const spawnHub = ({ port, stateDir, secretsFile }: LocalHub, stdio: StdioOptions) =>
  spawnWrangler(
    [
      'dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--inspector-port=0',
      `--persist-to=${stateDir}`,
      `--env-file=${secretsFile}`,
      '--var=LOOPBACK_URLS:allowed',
      '--show-interactive-dev-session=false',
    ],
    stdio,
  )

/** Starts a hub with its output kept, and waits until it answers. Throws with that output when it does not. */
export const startHub = async (hub: LocalHub): Promise<{ url: string; stop: () => Promise<void> }> => {
  await migrateLocal(hub.stateDir)
  const child = spawnHub(hub, ['ignore', 'pipe', 'pipe'])
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const url = `http://localhost:${hub.port}`
  const deadline = Date.now() + START_DEADLINE
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`the hub did not start in ${PROJECT}:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, stop }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/v1/guardian`, { signal: AbortSignal.timeout(2000) })).status === 401
  } catch {
    return false
  }
}
