import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'
import { runWrangler } from '../programs/wrangler.ts'

type Access = { base: string; headers: Readonly<Record<string, string>> }

const Envelope = v.object({
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ code: v.number(), message: v.string() })), []),
})

/** Cloudflare's API gives no usable answer. `isRefused`: the login lacks a permission. */
export class CloudflareError extends Error {
  readonly isRefused: boolean

  constructor(message: string, isRefused = false) {
    super(message)
    this.isRefused = isRefused
  }
}

/** Returns the result of a GET, or null for a 404. Throws a `CloudflareError`. */
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
      `Cloudflare's API at ${new URL(base).host} cannot be reached: ${reason}. Check the network, and deploy again.`,
    )
  }
}

/** Returns the reason of a failed fetch, which Node puts in the error's cause. */
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

/** Returns wrangler's login, and the account: as named, or the only one. */
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

/** Returns the environment's token, or the login that `wrangler login` stored, or null. */
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

const NOT_LOGGED_IN = `Nothing was done: you are not logged in to Cloudflare. Either
  npx wrangler login              opens a browser to log in
or, without a browser, make a token at https://dash.cloudflare.com/profile/api-tokens (template "Edit Cloudflare Workers",
with D1 and Queues, to edit, added) and set
  export CLOUDFLARE_API_TOKEN=…
Then run the same command again. Without an account: npm run deploy -- --dry-run`

const NO_ACCOUNT =
  'This login shows no account at Cloudflare. Name the account: put CLOUDFLARE_ACCOUNT_ID=… before the ' +
  'command (the id is in the address of the dashboard).'

function chooseOf(accounts: v.InferOutput<typeof Accounts>): string {
  return [
    'This login reaches several accounts. Choose one, and run the command again:',
    ...accounts.map(({ id, name }) => `  export CLOUDFLARE_ACCOUNT_ID=${id}   # ${name}`),
  ].join('\n')
}
