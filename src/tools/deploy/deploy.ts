import { command, runProgram } from '../program.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { PRODUCTION, isEnvironment } from './environment.ts'
import { LOCATIONS, deployEnvironment } from './deploy-environment.ts'

/** `npm run deploy`: from a clone to a hub that runs, the first time and every time later. */
const program = command({
  name: 'npm run deploy --',
  does: 'makes what is missing at Cloudflare, migrates, deploys, and checks that the hub answers',
  example: 'npm run deploy -- --env staging',
  args: {
    env: {
      type: 'string',
      default: PRODUCTION,
      valueHint: 'NAME',
      description: 'another environment beside production, such as staging',
    },
    'secrets-file': {
      type: 'string',
      valueHint: 'FILE',
      description:
        'the secrets; .hub/NAME.secrets if not given. A file that does not exist is made, if the hub has none yet',
    },
    location: {
      type: 'string',
      valueHint: 'HINT',
      description: `where new databases should be: ${LOCATIONS.join(', ')}`,
    },
    'dry-run': {
      type: 'boolean',
      description: 'show the plan and build the Worker; change nothing, ask no account',
    },
  },
  run: async ({ env: environment, 'secrets-file': secretsFile, location, 'dry-run': isDry = false }) => {
    if (!isEnvironment(environment)) {
      throw new UsageError(`--env must be small letters and digits, 20 at most, not ${quoted(environment)}`)
    }
    if (location !== undefined && !LOCATIONS.includes(location)) {
      throw new UsageError(`--location must be one of ${LOCATIONS.join(', ')}, not ${quoted(location)}`)
    }
    const failure = await deployEnvironment({ environment, secretsFile, location, isDry })
    if (failure) console.error(failure)
    return failure ? 1 : 0
  },
})

process.exitCode = await runProgram(program)
