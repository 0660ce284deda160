import { parseArgs } from 'node:util'
import { readDatabases } from '../databases.ts'
import { deploy } from './deploy-steps.ts'
import { makeSecrets } from '../secrets.ts'
import { runWrangler } from '../wrangler.ts'

/**
 * `npm run deploy [-- --secrets-file FILE]`: migrations, then the Worker. The file holds the secrets, which the first
 * deploy needs; one that does not exist is made with new ones.
 */
const { values } = parseArgs({ options: { 'secrets-file': { type: 'string' } } })
const secretsFile = values['secrets-file']
if (secretsFile && makeSecrets(secretsFile)) {
  console.log(
    `Made new secrets in ${secretsFile}. Keep the file safe, and out of git: OPERATOR_TOKEN opens the hub.`,
  )
}
const succeeds = async (args: readonly string[], show: 'shown' | 'kept') =>
  (await runWrangler(args, show)).code === 0
const failure = await deploy(succeeds, readDatabases(), secretsFile)
if (failure) console.error(failure)
process.exitCode = failure ? 1 : 0
