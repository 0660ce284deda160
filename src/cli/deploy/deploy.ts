import { command } from '../command.ts'
import { runProgram } from '../program.ts'
import { makeSecrets } from '../secrets.ts'
import { runWrangler } from '../wrangler.ts'
import { deploy } from './deploy-steps.ts'

/** `npm run deploy [-- --secrets-file FILE]`, or `npm run deploy -- --dry-run`. */
const program = command({
  name: 'npm run deploy --',
  does: 'makes and migrates the databases, then deploys the Worker',
  example: 'npm run deploy -- --secrets-file ../payment-hub.secrets',
  args: {
    'secrets-file': {
      type: 'string',
      valueHint: 'FILE',
      description: 'the secrets, for the first deploy; a file that does not exist is made with new ones',
    },
    'dry-run': { type: 'boolean', description: 'build the Worker, and change nothing; needs no account' },
  },
  run: async ({ 'secrets-file': secretsFile, 'dry-run': isDry }) => {
    if (isDry) return (await runWrangler(['deploy', '--dry-run'], 'shown')).code
    if (secretsFile && makeSecrets(secretsFile)) {
      console.log(
        `Made new secrets in ${secretsFile}. Keep the file safe, and out of git: OPERATOR_TOKEN opens the hub.`,
      )
    }
    const succeeds = async (args: readonly string[], show: 'shown' | 'captured') =>
      (await runWrangler(args, show)).code === 0
    // Loaded only now: it loads wrangler, and `--help` need not wait for that.
    const { readDatabases } = await import('../databases.ts')
    const failure = await deploy(succeeds, readDatabases(), secretsFile)
    if (failure) console.error(failure)
    return failure ? 1 : 0
  },
})

process.exitCode = await runProgram(program)
