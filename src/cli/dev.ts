import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrateLocal, spawnHub } from './local-hub.ts'
import { LOCAL_SECRETS, makeSecrets } from './local-secrets.ts'
import { PROJECT } from './wrangler.ts'

/** `npm run dev [-- --port N]`: the hub on this machine, with its state kept in `.wrangler`. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' } } })
const port = Number(values.port)
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`--port must be a number from 1 to 65535, not ${values.port}`)
  process.exit(2)
}

const secretsFile = join(PROJECT, LOCAL_SECRETS)
if (makeSecrets(secretsFile)) console.log(`Made new secrets for the local hub: ${LOCAL_SECRETS}`)
const stateDir = join(PROJECT, '.wrangler', 'state')
await migrateLocal(stateDir)
console.log(`The hub will be on http://localhost:${port}. Make a point of sale:`)
console.log(
  `  ${port === 8787 ? '' : `HUB_URL=http://localhost:${port} `}npm run hub -- pos create --name "Shop 1"`,
)
const hub = spawnHub({ port, stateDir, secretsFile }, 'inherit')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => hub.kill(signal))
hub.on('exit', (code) => process.exit(code ?? 0))
