import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { runWrangler } from '../programs/wrangler.ts'
import type { Placed, Plan } from './deploy-plan.ts'
import { copySecrets, makeSecretFile } from './secret-files.ts'

export type Wrangler = typeof runWrangler

/**
 * Carries out the plan, in an order in which a stop anywhere does no harm: it stores secrets before
 * anything relies on them, and migrates each database before the Worker that relies on it. `firstSettings` returns
 * wrangler's words for settings that name the namespaces, for a first upload: it would make others, in no jurisdiction.
 * Returns the addresses of the hub.
 */
export async function carryOut(
  plan: Plan,
  wrangler: Wrangler,
  location: string | undefined,
  firstSettings: () => Promise<readonly string[]>,
): Promise<Result<string[], string>> {
  const { secrets } = plan
  if (secrets.from === 'file' && secrets.isMade) {
    makeSecretFile(secrets.path)
    console.log(`Made new secrets in ${secrets.path}. Keep the file safe, and out of git.`)
  }
  for (const { words, done, failed } of stepsOf(plan, location)) {
    const { code, output, errors } = await wrangler(words, 'captured')
    if (code !== 0) return refuse(`${output}${errors}\n${failed}`)
    console.log(done)
  }
  return upload(plan, wrangler, plan.isFirst ? await firstSettings() : [])
}

/** A step before the upload: the words for wrangler, and what to print if it succeeds or fails. */
type Step = { words: readonly string[]; done: string; failed: string }

function stepsOf(
  { namespaces, databases, queues, jurisdiction }: Plan,
  location: string | undefined,
): Step[] {
  const where = jurisdiction === '' ? [] : ['--jurisdiction', jurisdiction]
  const near = location === undefined ? [] : ['--location', location]
  const ofDatabases = databases.flatMap(({ binding, name, isMade }): Step[] => [
    ...(isMade
      ? [made('database', name, ['d1', 'create', name, ...where, ...near], 'nothing was deployed')]
      : []),
    {
      words: ['d1', 'migrations', 'apply', binding, '--remote'],
      done: `Migrated the database ${name}.`,
      failed:
        `A migration of ${name} failed. The reason is above. Nothing was deployed: a running hub runs on as it ` +
        'was. Migrations that succeeded stay, and do not run again. Fix the reason, ' +
        'and run the same command again.',
    },
  ])
  const ofNamespaces = namespaces
    .filter(({ isMade }) => isMade)
    .map(({ name }) =>
      made(
        'KV namespace',
        name,
        ['kv', 'namespace', 'create', name, ...where],
        'the Worker was not deployed',
      ),
    )
  // The upload makes queues as well, but in no jurisdiction:
  // https://developers.cloudflare.com/queues/configuration/data-location/
  const missing = queues.filter(({ isMade }) => isMade && jurisdiction !== '')
  const ofQueues = missing.map(({ name }) =>
    made('queue', name, ['queues', 'create', name, ...where], 'the Worker was not deployed'),
  )
  return [...ofDatabases, ...ofNamespaces, ...ofQueues]
}

/** A step that makes a part of the hub. `lacks` says what was not deployed if it fails. */
function made(kind: Placed['what'], name: string, words: readonly string[], lacks: string): Step {
  return {
    words,
    done: `Made the ${kind} ${name}.`,
    failed:
      `The ${kind} ${name} was not made, and ${lacks}. ` +
      'The reason is above. Fix it, and run the same command again.',
  }
}

async function upload(
  { secrets, worker }: Plan,
  wrangler: Wrangler,
  config: readonly string[],
): Promise<Result<string[], string>> {
  const folder = mkdtempSync(join(tmpdir(), 'payment-hub-deploy-'))
  try {
    const report = join(folder, 'report.ndjson')
    const meant = join(folder, 'secrets.json')
    if (secrets.from === 'file') copySecrets(secrets.path, secrets.names, meant)
    const withSecrets = secrets.from === 'file' ? ['--secrets-file', meant] : []
    console.log(`Uploading the Worker ${worker} …`)
    const { code } = await wrangler(['deploy', ...withSecrets, ...config], 'shown', {
      WRANGLER_OUTPUT_FILE_PATH: report,
      // The plan already lists what wrangler would; its warnings and questions are shown.
      WRANGLER_LOG: process.env['WRANGLER_LOG'] ?? 'warn',
    })
    if (code === 0) return ok(readTargets(report))
    return refuse(
      `The Worker ${worker} was not deployed. The reason is above. New databases, queues and migrations ` +
        'stay, and do no harm to a running hub. Fix the reason, and run the same command again.',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const Deployed = v.object({ type: v.literal('deploy'), targets: v.array(v.string()) })

/** Returns the Worker's addresses from wrangler's report, custom domains first. */
export function readTargets(file: string): string[] {
  const targets = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const { success, output } = v.safeParse(Deployed, JSON.parse(line))
      return success ? output.targets : []
    })
  return [
    ...targets
      .flatMap((target) => /^(\S+) \(custom domain/.exec(target)?.[1] ?? [])
      .map((host) => `https://${host}`),
    ...targets.filter((target) => target.startsWith('https://')),
  ]
}
