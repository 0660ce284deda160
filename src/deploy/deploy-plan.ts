import { type Result, ok, refuse } from '../contract/result.ts'
import { table } from '../programs/table.ts'
import { type Settings, unnamed } from './environment.ts'

/** A part of the account, and the jurisdiction that it was made in: empty for none. */
export type Placed = { what: 'KV namespace' | 'database' | 'queue'; name: string; jurisdiction: string }

export type Surroundings = {
  namespaces: readonly string[]
  databases: readonly string[]
  queues: readonly { name: string; consumers: readonly string[] }[]
  /** The Worker's secrets and JURISDICTION; null when there is no Worker yet. */
  worker: { secrets: readonly string[]; jurisdiction: string } | null
  /** Namespaces, databases and queues that are not in the JURISDICTION of the settings. */
  elsewhere?: readonly Placed[]
}

export type Plan = {
  worker: string
  /** Whether there is no Worker yet, which would hand its namespaces on to the next upload. */
  isFirst: boolean
  namespaces: readonly { name: string; isMade: boolean }[]
  databases: readonly { binding: string; name: string; isMade: boolean }[]
  /** Where new namespaces, databases and queues are: a jurisdiction, or empty for anywhere. */
  jurisdiction: string
  /** Parts outside the jurisdiction that a running hub keeps. */
  elsewhere?: readonly Placed[]
  queues: readonly { name: string; isMade: boolean }[]
  secrets: SecretsPlan
}

/** Plans a deploy, or says why it stops and what to do. */
export function planDeploy(
  settings: Settings,
  found: Surroundings,
  files: SecretFiles,
): Result<Plan, string> {
  const jurisdiction = settings.vars['JURISDICTION'] ?? ''
  const refused =
    refuseJurisdiction(jurisdiction, found) ?? refuseName(settings.name, found) ?? refuseElsewhere(found)
  if (refused) return refuse(refused)
  const secrets = planSecrets(settings.secrets.required, found.worker?.secrets ?? [], files)
  if (!secrets.ok) return secrets
  const queues = settings.queues.consumers.map(({ queue }) => queue)
  return ok({
    worker: settings.name,
    isFirst: found.worker === null,
    namespaces: unnamed(settings).map((name) => ({
      name,
      isMade: found.worker === null && !found.namespaces.includes(name),
    })),
    databases: settings.d1_databases.map(({ binding, database_name: name }) => ({
      binding,
      name,
      isMade: !found.databases.includes(name),
    })),
    jurisdiction,
    ...(found.elsewhere ? { elsewhere: found.elsewhere } : {}),
    queues: queues.map((name) => ({ name, isMade: !found.queues.some((queue) => queue.name === name) })),
    secrets: secrets.value,
  })
}

function refuseJurisdiction(wanted: string, { worker }: Surroundings): string | null {
  if (wanted !== '' && wanted !== 'eu') {
    return `JURISDICTION must be "" or "eu", not "${wanted}". Correct it in the settings, and deploy again.`
  }
  if (worker === null || worker.jurisdiction === wanted) return null
  return (
    `JURISDICTION is "${wanted}" in the settings, but "${worker.jurisdiction}" in the running hub: ` +
    `the new hub would not find the jobs of the old one. Set it back to "${worker.jurisdiction}". For a hub in another ` +
    'jurisdiction deploy an environment of its own.'
  )
}

/** Refuses to start a hub with parts in another jurisdiction, which cannot change later. */
function refuseElsewhere({ worker, elsewhere }: Surroundings): string | null {
  if (worker !== null || !elsewhere) return null
  return (
    `Nothing was done. ${listed(elsewhere)}, which is not the JURISDICTION of the settings and cannot be changed. ` +
    'Give each another name in the settings, or delete it if nothing uses it ' +
    '(`npx wrangler queues delete NAME`, `npx wrangler d1 delete NAME`, `npx wrangler kv namespace delete NAME`). Then deploy again.'
  )
}

function listed(elsewhere: readonly Placed[]): string {
  const each = elsewhere.map(
    (one) => `the ${one.what} ${one.name} is in ${one.jurisdiction || 'no jurisdiction'}`,
  )
  return each.join(', ').replace('the', 'The')
}

/** Refuses another `name`, which would be a second hub that takes the messages of the first. */
function refuseName(name: string, { queues }: Surroundings): string | null {
  const [taken] = queues.flatMap(({ name: queue, consumers }) =>
    consumers.filter((worker) => worker !== name).map((worker) => ({ queue, worker })),
  )
  if (!taken) return null
  return (
    `name is "${name}" in the settings, but the queue ${taken.queue} belongs to the Worker ${taken.worker}: ` +
    `"${name}" would be another hub, without its jobs. Set name back to "${taken.worker}"; or, for a hub of its ` +
    'own, give its queues and databases other names too.'
  )
}

/** A file of secrets: the names with a value, or null when it does not exist. */
export type SecretFile = { path: string; names: readonly string[] | null }

/** The operator names `given`. The first deploy of an environment makes `own`. */
type SecretFiles = { given: SecretFile | null; own: SecretFile }

/** The source of secrets: the account keeps its own, or a file, which may be new, has `names`. */
type SecretsPlan =
  | { from: 'account' }
  | {
      from: 'file'
      path: string
      isMade: boolean
      names: readonly string[]
      /** The names whose values at the account are replaced. */
      replaced: readonly string[]
    }

/**
 * Decides where the secrets come from. Only a file that the operator names replaces values of the
 * account, and new ones never do: with another SIGNING_ROOT every signing secret would change, and
 * with another SEALING_KEY no account could be opened.
 */
export function planSecrets(
  required: readonly string[],
  atAccount: readonly string[],
  { given, own }: SecretFiles,
): Result<SecretsPlan, string> {
  const there = required.filter((name) => atAccount.includes(name))
  const missing = required.filter((name) => !atAccount.includes(name))
  const file = given ?? own
  if (given === null && missing.length === 0) return ok({ from: 'account' })
  if (file.names === null) {
    return there.length > 0
      ? refuse(given === null ? cannotMake(missing, own) : wouldReplace(there, given))
      : ok({ from: 'file', path: file.path, isMade: true, names: required, replaced: [] })
  }
  const { path, names } = file
  const absent = missing.filter((name) => !names.includes(name))
  if (absent.length > 0) return refuse(lacks(path, absent))
  const used = (given === null ? missing : required).filter((name) => names.includes(name))
  const replaced = used.filter((name) => atAccount.includes(name))
  return ok({ from: 'file', path, isMade: false, names: used, replaced })
}

function wouldReplace(there: readonly string[], { path }: SecretFile): string {
  return (
    `${path} does not exist, and the hub at Cloudflare has secrets already ` +
    `(${there.join(', ')}). New ones would change every ` +
    'signing secret and lock the accounts at PSPs, so the deploy made none. Leave --secrets-file ' +
    'out, or name the file of the first deploy.'
  )
}

function cannotMake(missing: readonly string[], { path }: SecretFile): string {
  return (
    `The hub at Cloudflare has some of its secrets, but not ${missing.join(', ')}. A new value ` +
    'could lock out what the old one opened, so ' +
    `the deploy made none. Write the old value, or a new one if there never was any, in ${path} ` +
    '(NAME=value), or name a file with --secrets-file. Then deploy again.'
  )
}

function lacks(path: string, absent: readonly string[]): string {
  return (
    `${path} has no value for ${absent.join(', ')}, and neither has the hub at Cloudflare. Add ` +
    'a line NAME=value for each, and deploy again.'
  )
}

export function showPlan(plan: Plan): string {
  const { worker, namespaces, databases, queues, secrets, jurisdiction, elsewhere = [] } = plan
  const kept = (name: string, as: string) =>
    elsewhere.some((one) => one.name === name) ? `${as}, outside the jurisdiction ${jurisdiction}` : as
  const where = jurisdiction === '' ? '' : ` in the jurisdiction ${jurisdiction}`
  const steps = table(
    ['what', 'name', 'what is done'],
    [
      ...databases.map(({ name, isMade }) => [
        'database',
        name,
        isMade ? `made${where}, then migrated` : kept(name, 'migrated, if it is not up to date'),
      ]),
      ['secrets', secrets.from === 'account' ? worker : secrets.path, sourceOf(secrets)],
      ...namespaces.map(({ name, isMade }) => [
        'KV namespace',
        name,
        isMade ? `made${where}` : kept(name, 'kept'),
      ]),
      ...queues.map(({ name, isMade }) => [
        'queue',
        name,
        isMade ? (where === '' ? 'made by the upload' : `made${where}`) : kept(name, 'kept'),
      ]),
      ['Worker', worker, 'built, uploaded, and asked for its health'],
    ],
  )
  return elsewhere.length === 0 ? steps : `${steps}\n\n${listed(elsewhere)}. ${HOW_TO_MOVE}`
}

const HOW_TO_MOVE =
  'None of this can be moved. You can replace a queue: docs/operating/set-up.md, "Queues outside the European Union". ' +
  'For a database restore a backup into another hub.'

function sourceOf(secrets: SecretsPlan): string {
  if (secrets.from === 'account') return 'kept: Cloudflare has them all'
  if (secrets.isMade) return 'made with new values, then uploaded'
  return secrets.replaced.length > 0
    ? `uploaded from this file, replacing ${secrets.replaced.join(', ')}`
    : `uploaded from this file: ${secrets.names.join(', ')}`
}
