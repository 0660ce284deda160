import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isFree } from './free-port.ts'
import { LOCAL_SECRETS, makeSecrets } from '../secrets.ts'
import { serve } from './serve.ts'
import { PROJECT } from '../wrangler.ts'

/**
 * `npm run dev [-- --port N]`: the hub on this machine, with its state kept in `.wrangler`. Others that start a hub
 * say where its state and its secrets are.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: join(PROJECT, '.wrangler', 'state') },
    secrets: { type: 'string', default: join(PROJECT, LOCAL_SECRETS) },
  },
})
const port = Number(values.port)
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`--port must be a number from 1 to 65535, not ${values.port}`)
  process.exit(2)
}

if (!(await isFree(port))) {
  console.error(`Port ${port} is taken. Choose another: npm run dev -- --port N`)
  process.exit(1)
}

if (makeSecrets(values.secrets)) console.log(`Made new secrets for the local hub: ${values.secrets}`)
console.log('Building the hub …')
try {
  const hub = await serve({ port, stateDir: values.state, secretsFile: values.secrets })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void hub.stop().finally(() => process.exit(0)))
  }
  console.log(`The hub is on http://localhost:${port}. Make a point of sale:`)
  console.log(
    `  ${port === 8787 ? '' : `HUB_URL=http://localhost:${port} `}npm run hub -- pos create --name "Shop 1"`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
