import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { runWrangler } from '../wrangler.ts'
import type { Found } from './deploy-plan.ts'
import type { Settings } from './environment.ts'

export type Access = { base: string; headers: Readonly<Record<string, string>> }

const Envelope = v.object({
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ code: v.number(), message: v.string() })), []),
})

/** Why Cloudflare's API gives no answer. `isRefused`: the login may not ask. */
export class CloudflareError extends Error {
  readonly isRefused: boolean

  constructor(message: string, isRefused = false) {
    super(message)
    this.isRefused = isRefused
  }
}

/**
 * The result of a GET, or null where there is no such thing. Throws a `CloudflareError` for any
 * other answer.
 */
export async function askCloudflare(access: Access, path: string): Promise<unknown> {
  const response = await reach(access, path)
  const { output: body, success } = v.safeParse(Envelope, await response.json().catch(() => null))
  if (response.ok && success) return body.result
  if (response.status === 404) return null
  const said = success
    ? body.errors.map(({ message, code }) => `${message.replace(/\.$/, '')} (${code})`).join('; ')
    : ''
  const isRefused = [401, 403].includes(response.status) || /authenticat/i.test(said)
  throw new CloudflareError(
    isRefused
      ? `Cloudflare refused the login: ${said || response.status}. Run \`npx wrangler login\` again. If you use ` +
          'CLOUDFLARE_API_TOKEN: the token needs the permissions Workers Scripts, Workers KV Storage, D1 and ' +
          'Queues, all to edit, for this account; with a domain of your own also Workers Routes.'
      : `Cloudflare's API answered ${response.status} to ${path}: ${said || 'no reason given'}. ` +
          'Try again in a minute; see https://www.cloudflarestatus.com.',
    isRefused,
  )
}

async function reach({ base, headers }: Access, path: string): Promise<Response> {
  try {
    return await fetch(base + path, { headers, signal: AbortSignal.timeout(30_000) })
  } catch (error) {
    const reason = reasonOf(error)
    throw new CloudflareError(
      `Cloudflare's API at ${new URL(base).host} cannot be reached: ${reason}. See to the network, and deploy again.`,
    )
  }
}

/** Why a fetch failed: Node tells it in the cause of its error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

export type Login = { access: Access; account: string }

const Credentials = v.variant('type', [
  v.object({ type: v.literal('api_key'), key: v.string(), email: v.string() }),
  v.object({ type: v.picklist(['oauth', 'api_token']), token: v.string() }),
])

const Accounts = v.array(v.object({ id: v.string(), name: v.string() }))

/**
 * Finds the login that wrangler uses too, and the account: that of the environment, of the
 * settings, or the only one.
 */
export async function logIn(
  env: NodeJS.ProcessEnv,
  accountOfSettings?: string,
): Promise<Result<Login, string>> {
  const headers = await headersOf(env)
  if (headers === null) return refuse(NOT_LOGGED_IN)
  const base = env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4'
  const access = { base, headers }
  const chosen = env['CLOUDFLARE_ACCOUNT_ID'] ?? accountOfSettings
  if (chosen) return ok({ access, account: chosen })
  const accounts = v.parse(Accounts, (await askCloudflare(access, '/accounts?per_page=50')) ?? [])
  const [only, ...others] = accounts
  if (only === undefined) return refuse(NO_ACCOUNT)
  return others.length === 0 ? ok({ access, account: only.id }) : refuse(chooseOf(accounts))
}

/** The token of the environment, or what `wrangler login` has stored; null when there is none. */
async function headersOf(env: NodeJS.ProcessEnv): Promise<Record<string, string> | null> {
  const token = env['CLOUDFLARE_API_TOKEN']
  if (token) return { authorization: `Bearer ${token}` }
  const { code, output } = await runWrangler(['auth', 'token', '--json'], 'captured')
  if (code !== 0) return null
  const credentials = v.parse(Credentials, JSON.parse(output))
  return credentials.type === 'api_key'
    ? { 'x-auth-key': credentials.key, 'x-auth-email': credentials.email }
    : { authorization: `Bearer ${credentials.token}` }
}

const NOT_LOGGED_IN = `You are not logged in to Cloudflare, so nothing was done. Either
  npx wrangler login              opens a browser, where you allow it
or, where there is no browser, make a token at https://dash.cloudflare.com/profile/api-tokens (template "Edit Cloudflare Workers",
with D1 and Queues, to edit, added) and set
  export CLOUDFLARE_API_TOKEN=…
Then run the same command again. Without an account: npm run deploy -- --dry-run`

const NO_ACCOUNT =
  'This login reaches no account at Cloudflare. Name it: CLOUDFLARE_ACCOUNT_ID=… before the ' +
  'command (the id is in the address of the dashboard).'

function chooseOf(accounts: v.InferOutput<typeof Accounts>): string {
  return [
    'This login reaches several accounts. Choose one, and run the command again:',
    ...accounts.map(({ id, name }) => `  export CLOUDFLARE_ACCOUNT_ID=${id}   # ${name}`),
  ].join('\n')
}

const Secrets = v.array(v.object({ name: v.string() }))
const Bindings = v.object({
  bindings: v.array(v.object({ name: v.string(), type: v.string(), text: v.optional(v.string()) })),
})
const Queues = v.array(
  v.object({
    queue_name: v.string(),
    consumers: v.optional(
      v.array(v.object({ script: v.optional(v.string()), script_name: v.optional(v.string()) })),
      [],
    ),
  }),
)

/** What the account has already of what the settings name. Throws a `CloudflareError`. */
export async function lookAround({ access, account }: Login, settings: Settings): Promise<Found> {
  const ask = (path: string) => askCloudflare(access, `/accounts/${account}${path}`)
  const databases = settings.d1_databases.map(({ database_name: name }) => name)
  const found = await Promise.all(databases.map((name) => ask(`/d1/database/${name}`)))
  const names = settings.queues.consumers.map(({ queue }) => `name=${queue}`)
  const queues = v.parse(Queues, await ask(`/queues?page=1&${names.join('&')}`))
  return {
    databases: databases.filter((_, place) => found[place] !== null),
    queues: queues.map(({ queue_name: name, consumers }) => ({
      name,
      consumers: consumers.flatMap(({ script, script_name: scriptName }) => script ?? scriptName ?? []),
    })),
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
