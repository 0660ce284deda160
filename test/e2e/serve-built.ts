import { parseArgs } from 'node:util'
import { serveBuilt } from '../../src/local/serve-built.ts'

/** Like `npm run dev`, for a hub that build-once.ts has built and migrated. */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { bundle: text, port: text, state: text, secrets: text } })
const { bundle = '', port, state: stateDir = '', secrets: secretsFile = '' } = values
const hub = await serveBuilt(bundle, { port: Number(port), stateDir, secretsFile })
process.once('SIGTERM', () => void hub.stop().finally(() => process.exit(0)))
