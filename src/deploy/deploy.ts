import { type Result, ok, refuse } from '../contract/result.ts'
import { isKept, progressBar, showRehearsal } from '../rehearsal/rehearse-backup.ts'
import { textOf } from '../programs/view.ts'
import { command, flag, option, runProgram } from '../programs/program.ts'
import { rehearse } from '../rehearsal/rehearse.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { releaseOf, runWrangler } from '../programs/wrangler.ts'
import { type Wrangler, carryOut } from './carry-out.ts'
import { checkHealth, showStatus } from './check-hub.ts'
import { CloudflareError, logIn } from './cloudflare.ts'
import { planDeploy, showPlan } from './deploy-plan.ts'
import { PRODUCTION, type Settings, configOf, isEnvironment, withIds } from './environment.ts'
import { NOTHING, lookAround, namespaceIds } from './look-around.ts'
import { secretFileAt, ownSecretFile, secretIn } from './secret-files.ts'

/** The hints of https://developers.cloudflare.com/d1/configuration/data-location/. */
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']

/** `npm run deploy`: from a clone to a running hub, the first time and every later time. */
const program = command({
  name: 'npm run deploy --',
  does: 'makes what is missing at Cloudflare, migrates, deploys, and checks that the hub answers',
  example: 'npm run deploy -- --env staging',
  args: {
    env: { ...option('NAME', 'an environment other than production, such as staging'), default: PRODUCTION },
    'secrets-file': option(
      'FILE',
      'the secrets; .hub/NAME.secrets if not given. The first deploy makes a missing file',
    ),
    location: { type: 'enum', options: LOCATIONS, description: 'where new databases should be' },
    'dry-run': flag('show the plan and build the Worker; change nothing, ask no account'),
    rehearse: option(
      'DIR',
      'play this backup first, and do not deploy if it shows a change that is not meant',
    ),
  },
  run: async ({
    env: environment,
    'secrets-file': secretsFile,
    location,
    'dry-run': isDry = false,
    rehearse: backup,
  }) => {
    if (!isEnvironment(environment)) {
      throw new UsageError(`--env must be small letters and digits, 20 at most, not ${quoted(environment)}`)
    }
    try {
      if (backup !== undefined && !(await isRehearsed(backup))) {
        console.error(UNREHEARSED)
        return 1
      }
      const deployed = await deployEnvironment({ environment, secretsFile, location, isDry })
      if (deployed.ok) return 0
      console.error(deployed.error)
    } catch (error) {
      if (!(error instanceof CloudflareError)) throw error
      console.error(error.message)
    }
    return 1
  },
})

/** Plays a backup by the rules of this checkout, and shows what changes. */
async function isRehearsed(folder: string): Promise<boolean> {
  const found = await rehearse(folder, { progress: progressBar() })
  console.log(`${textOf(showRehearsal(found))}\n`)
  return isKept(found)
}

const UNREHEARSED =
  'Nothing was deployed. Name each intended change in rehearsal.json and in the changelog, and fix the others.'

type DeployOptions = {
  environment: string
  secretsFile: string | undefined
  location: string | undefined
  isDry: boolean
}

/** Deploys an environment, and prints each step. Returns why it stopped and what to do. */
async function deployEnvironment(options: DeployOptions): Promise<Result<null, string>> {
  const { environment, secretsFile, location, isDry } = options
  const config = await configOf(environment)
  if (!config.ok) return config
  const { settings, args: configWords } = config.value
  const found = isDry ? ok({ ...NOTHING, account: '', ids: async () => ({}) }) : await look(settings)
  if (!found.ok) return found
  const { account, ids } = found.value
  const own = ownSecretFile(environment)
  const given = secretsFile === undefined ? null : secretFileAt(secretsFile)
  const plan = planDeploy(settings, found.value, { given, own })
  if (!plan.ok) return plan
  const { secrets } = plan.value
  if (!isDry && process.env['CI'] && secrets.from === 'file' && secrets.isMade) return refuse(WOULD_BE_LOST)
  console.log(
    isDry
      ? `A first deploy of ${environment} would do this:\n`
      : `Deploying ${environment} to the account ${account}:\n`,
  )
  console.log(`${showPlan(plan.value)}\n`)

  const wrangler: Wrangler = (args, show, env) =>
    runWrangler(args.includes('--config') ? args : [...args, ...configWords], show, {
      ...env,
      ...(account ? { CLOUDFLARE_ACCOUNT_ID: account } : {}),
    })
  if (isDry) {
    const { code } = await wrangler(['deploy', '--dry-run'], 'shown')
    return code === 0 ? ok(null) : refuse('The Worker could not be built. The reason is above.')
  }
  const deployed = await carryOut(plan.value, wrangler, location, async () =>
    withIds(environment, settings, await ids()),
  )
  if (!deployed.ok) return deployed
  const [url] = deployed.value
  if (url === undefined) {
    console.log('The hub is deployed. It has only routes of a zone: ask its address for /healthz yourself.')
    return ok(null)
  }
  const release = releaseOf()
  console.log(`\nAsking ${url}/healthz …`)
  const wrong = await checkHealth(url, release)
  if (wrong !== null) return refuse(notWell(url, wrong, configWords))
  const file = secrets.from === 'file' ? secrets.path : own.names === null ? null : own.path
  const unwell = await showStatus(
    url,
    (file && secretIn(file, 'OPERATOR_TOKEN')) || process.env['OPERATOR_TOKEN'],
  )
  if (unwell !== null) return refuse(unwell)
  console.log(nextSteps({ url, release, config: configWords, file }))
  return ok(null)
}

const WOULD_BE_LOST =
  'Nothing was done: CI is set, so a file of new secrets would be lost with this machine. ' +
  'Deploy the first time from your own machine, or name an existing file: ' +
  '--secrets-file FILE.'

function notWell(url: string, wrong: string, configWords: readonly string[]): string {
  const wrangler = ['npx wrangler', ...configWords].join(' ')
  return (
    `The hub is deployed, but ${url}/healthz ${wrong}. Look at its log: ${wrangler} tail. To go ` +
    `back to the previous release: ${wrangler} rollback`
  )
}

async function look(settings: Settings) {
  const login = await logIn(process.env, settings.account_id)
  if (!login.ok) return login
  const found = await lookAround(login.value, settings)
  const ids = () => namespaceIds(login.value, settings)
  return found.ok ? ok({ ...found.value, account: login.value.account, ids }) : found
}

type Deployed = { url: string; release: string; config: readonly string[]; file: string | null }

function nextSteps({ url, release, config, file }: Deployed): string {
  const wrangler = ['npx wrangler', ...config].join(' ')
  return [
    '',
    `The hub runs at ${url} (release ${release}), and is well.`,
    file === null
      ? 'Its operator token is its present OPERATOR_TOKEN. If that is lost, set ' +
        `another: ${wrangler} secret put OPERATOR_TOKEN`
      : `Its operator token is OPERATOR_TOKEN in ${file}. Keep a copy of that file in a safe ` +
        'place: Cloudflare shows no secret again.',
    ...(config.length > 0 ? [`Wrangler's own commands for it begin with: ${wrangler}`] : []),
    'Next, make a point of sale:',
    `  export HUB_URL=${url}`,
    file === null
      ? '  export OPERATOR_TOKEN=…'
      : `  export OPERATOR_TOKEN=$(sed -n 's/^OPERATOR_TOKEN=//p' '${file}')`,
    '  npm run hub -- pos create --name "Shop 1"',
  ].join('\n')
}

process.exitCode = await runProgram(program)
