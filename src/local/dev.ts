import { spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { command, flag, option, runProgram } from '../programs/program.ts'
import { MARK, readMark } from '../site/build/built-folder.ts'
import { LOCAL_SECRETS, makeSecrets } from '../programs/secrets.ts'
import { wholeNumber } from '../programs/usage-error.ts'
import { PROJECT } from '../programs/wrangler.ts'
import { isFree } from '../programs/free-port.ts'
import type { LocalHub } from './serve-built.ts'

const BUILD_SITE = join(PROJECT, 'src', 'site', 'build', 'build-site.ts')
const DOCS = join(PROJECT, '.wrangler', 'site', 'docs')

/** `npm run dev`. Other programs that start a hub give it another state folder and secrets. */
const dev = command({
  name: 'npm run dev --',
  does: 'runs the hub on this machine, with the sandbox as its PSP',
  example: 'npm run dev -- --port 8788',
  args: {
    port: { ...option('N', 'the port of localhost'), default: '8787', read: wholeNumber(1, 65_535) },
    state: option('FOLDER', 'where its data are; .wrangler if not given'),
    secrets: option('FILE', `its secrets; ${LOCAL_SECRETS} if not given`),
    pretty: flag('show each log event over several lines'),
  },
  run: async ({ port, state, secrets, pretty }) => {
    if (!(await isFree(port))) {
      console.error(`Port ${port} is taken. Choose another: npm run dev -- --port N`)
      return 1
    }
    try {
      const stateDir = state ?? join(PROJECT, '.wrangler', 'state')
      await start({ port, stateDir, secretsFile: secrets ?? join(PROJECT, LOCAL_SECRETS), pretty })
      return 0
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      return 1
    }
  },
})

async function start(place: LocalHub): Promise<void> {
  const { port, secretsFile } = place
  if (makeSecrets(secretsFile)) console.log(`Made new secrets for the local hub: ${secretsFile}`)
  console.log('Building the hub …')
  // Imported late, because it is large and `--help` does not need it.
  const { projectSettings, serve } = await import('./serve.ts')
  const { queues } = projectSettings()
  const hub = await serve(place)
  const endDocs =
    process.env['DOCS'] === 'none'
      ? () => {}
      : makeDocs(() => {
          void hub.refresh().then(() => console.log(`The documents are on http://localhost:${port}/docs.`))
        })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The runtime has listeners that end this process at once.
    process.removeAllListeners(signal)
    process.once(signal, () => {
      endDocs()
      console.log('Writing what the queues still hold …')
      void setTimeout(queueWait(queues.consumers ?? []))
        .then(hub.stop)
        .finally(() => process.exit(0))
    })
  }
  console.log(`The hub is on http://localhost:${port}. Make a point of sale:`)
  console.log(
    `  ${port === 8787 ? '' : `HUB_URL=http://localhost:${port} `}npm run hub -- pos create --name "Shop 1"`,
  )
}

type Consumer = {
  queue: string
  max_batch_timeout?: number | undefined
  dead_letter_queue?: string | undefined
}

/**
 * Returns how long (ms) a queue keeps a row at most, and a little to write it: the queues of the local
 * runtime are in memory alone. Nobody waits for those of messages that were given up.
 */
function queueWait(consumers: readonly Consumer[]): number {
  const givenUp = new Set(consumers.map(({ dead_letter_queue: queue }) => queue))
  const waits = consumers.map(({ queue, max_batch_timeout: wait = 0 }) => (givenUp.has(queue) ? 0 : wait))
  return Math.max(0, ...waits) * 1000 + 1000
}

/**
 * Builds the docs where their sources changed, in a process beside the running hub. Calls `whenNew`
 * for new docs, also after another build: the names of their files change, and the hub only knows
 * the old names. Returns a function that ends the process.
 */
function makeDocs(whenNew: () => void): () => void {
  let [, known] = readMark(DOCS)
  watchFile(join(DOCS, MARK), { interval: 500 }, () => {
    const [, made] = readMark(DOCS)
    if (made === undefined || made === known) return
    known = made
    whenNew()
  })
  const child = spawn(process.execPath, [BUILD_SITE], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.on('close', (code) => {
    if (code !== null && code !== 0) console.error(`The documents could not be built:\n${output}`)
  })
  return () => child.kill()
}

const code = await runProgram(dev)
// A runtime that did not become ready would keep this process alive.
if (code !== 0) process.exit(code)
