import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { runWrangler } from '../programs/wrangler.ts'
import type { DatabasePlan, Plan } from './deploy-plan.ts'
import { copySecrets, makeSecretFile } from './secret-files.ts'

export type Wrangler = typeof runWrangler

/**
 * Carries out the plan, in an order in which a stop anywhere does no harm: it stores secrets before
 * anything relies on them, and migrates each database before the Worker that relies on it. Returns the addresses of the hub.
 */
export async function carryOut(
  plan: Plan,
  wrangler: Wrangler,
  location: string | undefined,
): Promise<Result<string[], string>> {
  const { secrets } = plan
  if (secrets.from === 'file' && secrets.isMade) {
    makeSecretFile(secrets.path)
    console.log(`Made new secrets in ${secrets.path}. Keep the file safe, and out of git.`)
  }
  for (const database of plan.databases) {
    const failure = await prepare(wrangler, database, plan.jurisdiction, location)
    if (failure) return refuse(failure)
  }
  // The upload makes queues as well, but in no jurisdiction.
  for (const { name } of plan.jurisdiction === '' ? [] : plan.queues.filter(({ isMade }) => isMade)) {
    const failure = await makeQueue(wrangler, name, plan.jurisdiction)
    if (failure) return refuse(failure)
  }
  return upload(plan, wrangler)
}

/** Runs a step. Returns null, or wrangler's output and what it means for the deploy. */
async function failureOf(
  wrangler: Wrangler,
  words: readonly string[],
  meaning: string,
): Promise<string | null> {
  const { code, output, errors } = await wrangler(words, 'captured')
  return code === 0 ? null : `${output}${errors}\n${meaning}`
}

async function prepare(
  wrangler: Wrangler,
  { binding, name, isMade }: DatabasePlan,
  jurisdiction: string,
  location: string | undefined,
): Promise<string | null> {
  if (isMade) {
    const where = [
      ...(jurisdiction === '' ? [] : ['--jurisdiction', jurisdiction]),
      ...(location === undefined ? [] : ['--location', location]),
    ]
    const unmade = await failureOf(
      wrangler,
      ['d1', 'create', name, ...where],
      `The database ${name} was not made, and nothing was deployed. The reason is above. Fix it, and run the same command again.`,
    )
    if (unmade) return unmade
    console.log(`Made the database ${name}.`)
  }
  const failure = await failureOf(
    wrangler,
    ['d1', 'migrations', 'apply', binding, '--remote'],
    `A migration of ${name} failed. The reason is above. Nothing was deployed: a running hub runs on as it ` +
      'was. Migrations that succeeded stay, and do not run again. Fix the reason, ' +
      'and run the same command again.',
  )
  if (failure === null) console.log(`Migrated the database ${name}.`)
  return failure
}

/** https://developers.cloudflare.com/queues/configuration/data-location/ */
async function makeQueue(wrangler: Wrangler, name: string, jurisdiction: string): Promise<string | null> {
  const failure = await failureOf(
    wrangler,
    ['queues', 'create', name, '--jurisdiction', jurisdiction],
    `The queue ${name} was not made, and the Worker was not deployed. The reason is above. Fix it, and run the same command again.`,
  )
  if (failure === null) console.log(`Made the queue ${name}.`)
  return failure
}

async function upload({ secrets, worker }: Plan, wrangler: Wrangler): Promise<Result<string[], string>> {
  const folder = mkdtempSync(join(tmpdir(), 'payment-hub-deploy-'))
  try {
    const report = join(folder, 'report.ndjson')
    const meant = join(folder, 'secrets.json')
    if (secrets.from === 'file') copySecrets(secrets.path, secrets.names, meant)
    const withSecrets = secrets.from === 'file' ? ['--secrets-file', meant] : []
    console.log(`Uploading the Worker ${worker} …`)
    const { code } = await wrangler(['deploy', ...withSecrets], 'shown', {
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
