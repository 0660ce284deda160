import { join } from 'node:path'
import { command, runProgram } from '../program.ts'
import { LOCAL_SECRETS, makeSecrets } from '../secrets.ts'
import { wholeNumber } from '../usage-error.ts'
import { PROJECT } from '../wrangler.ts'
import { isFree } from './free-port.ts'
import { makeDocs } from './make-docs.ts'

/**
 * `npm run dev [-- --port N]`. Others that start a hub give it a place of its own for its state and
 * its secrets.
 */
const dev = command({
  name: 'npm run dev --',
  does: 'runs the hub on this machine, with the sandbox as its PSP',
  example: 'npm run dev -- --port 8788',
  args: {
    port: { type: 'string', default: '8787', valueHint: 'N', description: 'the port of localhost' },
    state: { type: 'string', valueHint: 'FOLDER', description: 'where its data are; .wrangler if not given' },
    secrets: { type: 'string', valueHint: 'FILE', description: `its secrets; ${LOCAL_SECRETS} if not given` },
  },
  run: async ({ port: given, state, secrets }) => {
    const port = wholeNumber('--port', given, 1, 65_535)
    if (!(await isFree(port))) {
      console.error(`Port ${port} is taken. Choose another: npm run dev -- --port N`)
      return 1
    }
    try {
      await start(port, state ?? join(PROJECT, '.wrangler', 'state'), secrets ?? join(PROJECT, LOCAL_SECRETS))
      return 0
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      return 1
    }
  },
})

async function start(port: number, stateDir: string, secretsFile: string): Promise<void> {
  if (makeSecrets(secretsFile)) console.log(`Made new secrets for the local hub: ${secretsFile}`)
  console.log('Building the hub …')
  // Loaded only now: it is large, and `--help` need not wait for it.
  const { serve } = await import('./serve.ts')
  const hub = await serve({ port, stateDir, secretsFile })
  const endDocs =
    process.env['DOCS'] === 'none'
      ? () => {}
      : makeDocs(() => {
          void hub.refresh().then(() => console.log(`The documents are on http://localhost:${port}/docs.`))
        })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endDocs()
      void hub.stop().finally(() => process.exit(0))
    })
  }
  console.log(`The hub is on http://localhost:${port}. Make a point of sale:`)
  console.log(
    `  ${port === 8787 ? '' : `HUB_URL=http://localhost:${port} `}npm run hub -- pos create --name "Shop 1"`,
  )
}

const code = await runProgram(dev)
// A runtime that did not become ready would keep this process alive.
if (code !== 0) process.exit(code)
