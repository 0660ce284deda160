import { type Result, ok, refuse } from '../../platform/result.ts'
import { type SecretsPlan, type SecretFiles, planSecrets } from './secrets-plan.ts'
import type { Settings } from './settings.ts'

/** What the account has of an environment. */
export type Found = {
  databases: readonly string[]
  queues: readonly string[]
  /** The secrets of the Worker, and what its JURISDICTION is; null when there is no Worker yet. */
  worker: { secrets: readonly string[]; jurisdiction: string } | null
}

export type DatabasePlan = { binding: string; name: string; isMade: boolean }

/** What a deploy does, in its order. */
export type Plan = {
  worker: string
  databases: readonly DatabasePlan[]
  /** Where new databases are: empty for anywhere, or a jurisdiction. */
  jurisdiction: string
  queues: readonly { name: string; isMade: boolean }[]
  secrets: SecretsPlan
}

/** Decides what a deploy does, or says why it does nothing and what would help. */
export function planDeploy(settings: Settings, found: Found, files: SecretFiles): Result<Plan, string> {
  const jurisdiction = settings.vars['JURISDICTION'] ?? ''
  const refused = refuseJurisdiction(jurisdiction, found)
  if (refused) return refuse(refused)
  const secrets = planSecrets(settings.secrets.required, found.worker?.secrets ?? [], files)
  if (!secrets.ok) return secrets
  const queues = settings.queues.consumers.map(({ queue }) => queue)
  return ok({
    worker: settings.name,
    databases: settings.d1_databases.map(({ binding, database_name: name }) => ({
      binding,
      name,
      isMade: !found.databases.includes(name),
    })),
    jurisdiction,
    queues: queues.map((name) => ({ name, isMade: !found.queues.includes(name) })),
    secrets: secrets.value,
  })
}

function refuseJurisdiction(wanted: string, { worker }: Found): string | null {
  if (wanted !== '' && wanted !== 'eu') {
    return `JURISDICTION must be "" or "eu", not "${wanted}". Correct it in the settings, and deploy again.`
  }
  if (worker === null || worker.jurisdiction === wanted) return null
  return (
    `JURISDICTION is "${wanted}" in the settings, and "${worker.jurisdiction}" in the hub that runs: the new one would not find ` +
    `the jobs of the other. Set it back to "${worker.jurisdiction}". For a hub in another jurisdiction deploy an environment of its own.`
  )
}
