import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Unstable_Config as Settings } from 'wrangler'
import { command, flag, option, runProgram } from '../programs/program.ts'
import { LOCAL_SECRETS, makeSecrets, readSecrets } from '../programs/secrets.ts'
import { wholeNumber } from '../programs/usage-error.ts'
import { PROJECT } from '../programs/wrangler.ts'
import { isFree } from '../programs/free-port.ts'
import type { LocalHub } from './serve-built.ts'
import { inOwnSession, isInTerminal, onSignal } from './session.ts'
import { shopToTry } from './shop-to-try.ts'
import { signInLink } from './sign-in-link.ts'
import { siteFolder } from './site-folder.ts'

const BUILD_SITE = join(PROJECT, 'src', 'build', 'build-site.ts')
const SITE = join(PROJECT, '.wrangler', 'site')

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
    if (isInTerminal()) return inOwnSession()
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
  let docs: DocsBuild | null = null
  let isServed = false
  let isStopping = false
  const serving = serve(
    place,
    siteFolder(SITE, () => docs?.hasFailed() ?? false),
  )
  const stop = async () => {
    isStopping = true
    console.log(isServed ? 'Writing what the queues still hold …' : 'Stopping once the hub is built …')
    await docs?.stop()
    if (isServed) await setTimeout(queueWait(projectSettings()))
    await serving.then((hub) => hub.stop()).catch(() => {})
  }
  onSignal(() => (isStopping ? process.exit(1) : void stop().finally(() => process.exit(0))))
  try {
    await serving
  } catch (error) {
    if (!isStopping) throw error
  }
  if (isStopping) return
  isServed = true
  const url = `http://localhost:${port}`
  console.log(`The hub runs at ${url}`)
  // A hub of a program needs neither documents nor a shop.
  if (process.env['DOCS'] === 'none') return
  docs = buildDocs(port)
  await showWhatToTry(url, place).catch(console.error)
}

/** Shows the pages of the hub, and a shop. The hub already serves meanwhile. */
async function showWhatToTry(url: string, { secretsFile, stateDir }: LocalHub): Promise<void> {
  const { OPERATOR_TOKEN: token = '' } = readSecrets(secretsFile)
  Object.assign(process.env, { HUB_URL: url, OPERATOR_TOKEN: token })
  const [link, apiKey] = await Promise.all([signInLink(url, token), shopToTry(url, stateDir)])
  console.log(`\n  Console    ${link}
             signs you in; or use ${url}/console with the OPERATOR_TOKEN of ${secretsFile}
  Till       ${url}/till
  Documents  ${url}/docs, once they are built
  Shop       "Shop to try", in test mode, with three payments. Its API key, for the till and your program:
             ${apiKey}\n`)
}

/**
 * Returns how long (ms) a queue of wrangler.toml keeps a message at most, and a little to handle it,
 * because the queues of the local runtime are only in memory. Messages that were given up are not
 * waited for.
 */
function queueWait({ queues: { consumers = [] } }: Settings): number {
  const givenUp = new Set(consumers.map(({ dead_letter_queue: queue }) => queue))
  const waits = consumers.map(({ queue, max_batch_timeout: wait = 0 }) => (givenUp.has(queue) ? 0 : wait))
  return Math.max(0, ...waits) * 1000 + 1000
}

type DocsBuild = { hasFailed: () => boolean; stop: () => Promise<void> }

/** Builds the documents if their sources have changed, in a process of its own while the hub runs. */
function buildDocs(port: number): DocsBuild {
  const child = spawn(process.execPath, [BUILD_SITE], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let [hasFailed, isStopped] = [false, false]
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => {
    if (code === 0) return console.log(`The documents are on http://localhost:${port}/docs.`)
    hasFailed = true
    if (!isStopped) console.error(`The documents could not be built:\n${output}`)
  })
  return {
    hasFailed: () => hasFailed,
    stop: async () => {
      isStopped = true
      child.kill()
      await ended
    },
  }
}

const code = await runProgram(dev)
// A runtime that did not become ready would keep this process alive.
if (code !== 0) process.exit(code)
