import * as v from 'valibot'
import { join } from 'node:path'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { option } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { PROJECT } from '../wrangler.ts'

const LOCAL_HUB = 'http://localhost:8787'

/**
 * The address of the hub that `HUB_URL` chooses, or of the local one. `secret` is what is sent
 * there: never over http to another machine.
 */
function hubUrl(env: NodeJS.ProcessEnv, secret: string): string {
  const url = env['HUB_URL'] ?? LOCAL_HUB
  const protocol = URL.parse(url)?.protocol ?? ''
  if (!/^https?:$/.test(protocol)) throw new Error(`HUB_URL must be an http or https URL, not ${url}`)
  if (protocol === 'http:' && !isHere(url)) {
    throw new UsageError(`HUB_URL must be an https URL, not ${url}: ${secret} could be read on the way.`)
  }
  return url
}

export function isHere(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}

/** The hub that an operator asks, with the headers that say who asks. */
export function operatorsHub(env: NodeJS.ProcessEnv): { url: string; credentials: Record<string, string> } {
  const url = hubUrl(env, 'the operator token')
  const token = env['OPERATOR_TOKEN'] ?? localToken(url)
  return { url, credentials: { authorization: `Bearer ${token}`, ...accessHeaders(env) } }
}

/**
 * The service token of Cloudflare Access, for a hub behind Access. The hub itself does not read it.
 */
function accessHeaders(env: NodeJS.ProcessEnv): Record<string, string> {
  const { CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' } = env
  if (id === '' && secret === '') return {}
  if (id !== '' && secret !== '') return { 'cf-access-client-id': id, 'cf-access-client-secret': secret }
  throw new Error('CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET go together: one of them is not set.')
}

function localToken(url: string): string {
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (!isHere(url)) {
    throw new Error(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  }
  if (!token) throw new Error(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}

export type TestHub = { url: string; key: string }

export const KEY_FLAG = {
  key: option('API_KEY', 'the API key of a point of sale in test mode; HUB_API_KEY if not given'),
}

/**
 * The hub that a developer asks, with the key of `--key` or `HUB_API_KEY`. Throws a UsageError
 * where there is none.
 */
export function developersHub(env: NodeJS.ProcessEnv, given: string | undefined): TestHub {
  const key = given ?? env['HUB_API_KEY']
  if (key === undefined) {
    throw new UsageError(
      'Set HUB_API_KEY to the API key of a point of sale in test mode. `npx hub pos create --name "Test"` makes one.',
    )
  }
  if (!/^[0-9A-Za-z]{160}$/.test(key)) {
    throw new UsageError('The API key must have 160 letters and digits, as `npx hub pos create` shows it.')
  }
  return { url: hubUrl(env, 'the API key'), key }
}

export function noHubAt(url: string | URL): string {
  const { origin } = new URL(url)
  return isHere(origin)
    ? `No hub answers at ${origin}. Start one with \`npm run dev\`, or set HUB_URL.`
    : `No hub answers at ${origin}. See to the network, and whether HUB_URL is right.`
}

const Refusal = v.pipe(v.string(), v.parseJson(), v.object({ detail: v.string() }))

/** Why a hub refuses, in its own words (RFC 9457); null for an answer that does not say. */
export function detailOf(text: string): string | null {
  const read = v.safeParse(Refusal, text)
  return read.success ? read.output.detail : null
}
