import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'
import { CloudflareError, type Login, askCloudflare } from './cloudflare.ts'
import type { Surroundings, Placed } from './deploy-plan.ts'
import { type Settings, unnamed } from './environment.ts'

/** An empty account: a dry run plans a first deploy. */
export const NOTHING: Surroundings = { namespaces: [], databases: [], queues: [], worker: null }

/**
 * Returns which names of the settings the account already has, or why the login or the account
 * does not allow a deploy. Asks everything before the first change. Throws a
 * `CloudflareError` if the login is not valid at all.
 */
export async function lookAround(login: Login, settings: Settings): Promise<Result<Surroundings, string>> {
  const ask = asking(login)
  // Each question needs its permission.
  const asked = {
    'Workers Scripts': workerOf(ask, settings.name),
    'Workers KV Storage': namespacesOf(ask, settings),
    D1: databasesOf(ask, settings),
    Queues: queuesOf(ask, settings),
  }
  const answers = await Promise.allSettled(Object.values(asked))
  const failures = Object.keys(asked).flatMap((permission, at) => {
    const answer = answers[at]
    return answer?.status === 'rejected' ? [{ permission, why: answer.reason as unknown }] : []
  })
  const fault = failures.find(({ why }) => !(why instanceof CloudflareError && why.isRefused))
  const [first] = failures
  if (fault) throw fault.why
  if (first && failures.length === answers.length) throw first.why
  if (first) return refuse(lacks(failures.map(({ permission }) => permission)))
  const wrong = await whyNoAddress(login, settings)
  if (wrong !== null) return refuse(wrong)
  const [worker, namespaces, databases, queues] = await Promise.all([
    asked['Workers Scripts'],
    asked['Workers KV Storage'],
    asked.D1,
    asked.Queues,
  ])
  const elsewhere: Placed[] = [...namespaces, ...databases, ...queues].filter(
    ({ jurisdiction }) => jurisdiction !== (settings.vars['JURISDICTION'] || jurisdiction),
  )
  return ok({
    worker,
    namespaces: namespaces.map(({ name }) => name),
    databases: databases.map(({ name }) => name),
    queues: queues.map(({ name, consumers }) => ({ name, consumers })),
    ...(elsewhere.length > 0 ? { elsewhere } : {}),
  })
}

type Ask = (path: string) => Promise<unknown>

function asking({ access, account }: Login): Ask {
  return (path) => askCloudflare(access, `/accounts/${account}${path}`)
}

const Secrets = v.array(v.object({ name: v.string() }))
const Bindings = v.object({
  bindings: v.array(v.object({ name: v.string(), type: v.string(), text: v.optional(v.string()) })),
})

async function workerOf(ask: Ask, name: string): Promise<Surroundings['worker']> {
  const [secrets, settings] = await Promise.all([
    ask(`/workers/scripts/${name}/secrets`),
    ask(`/workers/scripts/${name}/settings`),
  ])
  if (secrets === null || settings === null) return null
  const { bindings } = v.parse(Bindings, settings)
  return {
    secrets: v.parse(Secrets, secrets).map((secret) => secret.name),
    // A hub of a release without this variable is in no jurisdiction.
    jurisdiction: bindings.find((binding) => binding.name === 'JURISDICTION')?.text ?? '',
  }
}

const jurisdiction = v.nullish(v.string(), '')
const Namespaces = v.array(v.object({ id: v.string(), title: v.string(), jurisdiction }))

/** Cloudflare lists namespaces by pages, and finds none by name. */
async function namespacesOf(ask: Ask, settings: Settings): Promise<(Placed & { id: string })[]> {
  const names = unnamed(settings)
  const found: (Placed & { id: string })[] = []
  for (let page = 1; ; page++) {
    const all = v.parse(Namespaces, await ask(`/storage/kv/namespaces?${LISTED}&page=${page}`))
    for (const { id, title: name, jurisdiction: where } of all)
      if (names.includes(name)) found.push({ what: 'KV namespace', name, jurisdiction: where, id })
    if (all.length < PAGE || found.length === names.length) return found
  }
}

/** Returns the ids of the namespaces without an id in the settings, by their names. */
export async function namespaceIds(login: Login, settings: Settings): Promise<Record<string, string>> {
  const found = await namespacesOf(asking(login), settings)
  return Object.fromEntries(found.map(({ name, id }) => [name, id]))
}

const PAGE = 100
const LISTED = `per_page=${PAGE}&order=title&direction=asc`

const Database = v.nullable(v.object({ jurisdiction }))

async function databasesOf(ask: Ask, { d1_databases: databases }: Settings): Promise<Placed[]> {
  const found = await Promise.all(
    databases.map(async ({ database_name: name }): Promise<Placed[]> => {
      const database = v.parse(Database, await ask(`/d1/database/${name}`))
      return database ? [{ what: 'database', name, jurisdiction: database.jurisdiction }] : []
    }),
  )
  return found.flat()
}

const Consumer = v.object({ script: v.optional(v.string()), script_name: v.optional(v.string()) })
const Queues = v.array(
  v.object({ queue_name: v.string(), jurisdiction, consumers: v.optional(v.array(Consumer), []) }),
)

async function queuesOf(ask: Ask, settings: Settings): Promise<(Placed & Surroundings['queues'][number])[]> {
  const { queues } = settings
  const names = queues.consumers.map(({ queue }) => `name=${queue}`)
  return v
    .parse(Queues, await ask(`/queues?page=1&${names.join('&')}`))
    .map(({ queue_name: name, jurisdiction: where, consumers }) => ({
      what: 'queue',
      name,
      jurisdiction: where,
      consumers: consumers.flatMap(({ script, script_name: scriptName }) => script ?? scriptName ?? []),
    }))
}

function lacks(permissions: readonly string[]): string {
  return (
    `Nothing was done: the login lacks ${permissions.map((one) => `the permission ${one}`).join(' and ')}, ` +
    'to edit. Add it to the token at https://dash.cloudflare.com/profile/api-tokens, or run `npx wrangler ' +
    'login` again, and deploy again.'
  )
}

async function whyNoAddress(login: Login, settings: Settings): Promise<string | null> {
  for (const host of hostsOf(settings)) {
    const wrong = await whyNoRoute(login, host)
    if (wrong !== null) return wrong
  }
  return settings['workers_dev'] === false ? null : whyNoSubdomain(login)
}

const Subdomain = v.object({ subdomain: v.pipe(v.string(), v.minLength(1)) })

async function whyNoSubdomain({ access, account }: Login): Promise<string | null> {
  const answer = await askCloudflare(access, `/accounts/${account}/workers/subdomain`)
  return v.is(Subdomain, answer)
    ? null
    : 'Nothing was done: the account has no name at workers.dev yet, so the hub would have no address. ' +
        `Choose one at https://dash.cloudflare.com/${account}/workers/onboarding, or give the hub a domain ` +
        'of your own and set workers_dev = false. Then deploy again.'
}

/** Returns the hosts of `routes`, which are in zones of the account. */
function hostsOf(settings: Settings): string[] {
  const { route, routes = [] } = settings
  return [...routes, ...(route === undefined ? [] : [route])]
    .map((one) => (typeof one === 'string' ? one : one.pattern))
    .map((pattern) => pattern.replace(/^\*\.?/, '').replace(/\/.*$/, ''))
}

const Zones = v.array(v.object({ id: v.string() }))

async function whyNoRoute({ access }: Login, host: string): Promise<string | null> {
  const labels = host.split('.')
  const names = labels.map((_, at) => labels.slice(at).join('.')).slice(0, -1)
  try {
    for (const name of names) {
      const [zone] = v.parse(Zones, (await askCloudflare(access, `/zones?name=${name}`)) ?? [])
      if (!zone) continue
      await askCloudflare(access, `/zones/${zone.id}/workers/routes`)
      return null
    }
  } catch (error) {
    if (!(error instanceof CloudflareError && error.isRefused)) throw error
    return lacks(['Workers Routes'])
  }
  return (
    `Nothing was done: this login reaches no zone of ${host}, which \`routes\` in the settings names. The zone must be ` +
    'at Cloudflare in the same account, and the login needs the permission Workers Routes for it, to edit.'
  )
}
