import * as v from 'valibot'
import { askCloudflare } from './cloudflare.ts'
import type { Found } from './deploy-plan.ts'
import type { Login } from './log-in.ts'
import type { Settings } from './settings.ts'

const Secrets = v.array(v.object({ name: v.string() }))
const Bindings = v.object({
  bindings: v.array(v.object({ name: v.string(), type: v.string(), text: v.optional(v.string()) })),
})
const Queues = v.array(v.object({ queue_name: v.string() }))

/** What the account has already of what the settings name. Throws a `CloudflareError`. */
export async function lookAround({ access, account }: Login, settings: Settings): Promise<Found> {
  const ask = (path: string) => askCloudflare(access, `/accounts/${account}${path}`)
  const databases = settings.d1_databases.map(({ database_name: name }) => name)
  const found = await Promise.all(databases.map((name) => ask(`/d1/database/${name}`)))
  const names = settings.queues.consumers.map(({ queue }) => `name=${queue}`)
  const queues = v.parse(Queues, await ask(`/queues?page=1&${names.join('&')}`))
  return {
    databases: databases.filter((_, place) => found[place] !== null),
    queues: queues.map(({ queue_name: name }) => name),
    worker: await lookAtWorker(ask, settings.name),
  }
}

async function lookAtWorker(ask: (path: string) => Promise<unknown>, name: string): Promise<Found['worker']> {
  const [secrets, settings] = await Promise.all([
    ask(`/workers/scripts/${name}/secrets`),
    ask(`/workers/scripts/${name}/settings`),
  ])
  if (secrets === null || settings === null) return null
  const { bindings } = v.parse(Bindings, settings)
  return {
    secrets: v.parse(Secrets, secrets).map((secret) => secret.name),
    // A hub of a release that had no such variable is in no jurisdiction.
    jurisdiction: bindings.find((binding) => binding.name === 'JURISDICTION')?.text ?? '',
  }
}

/** What an empty account has: the plan of a dry run is that of a first deploy. */
export const NOTHING: Found = { databases: [], queues: [], worker: null }
