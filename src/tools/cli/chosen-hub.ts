import * as v from 'valibot'
import { join } from 'node:path'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { option } from '../program.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { PROJECT } from '../wrangler.ts'
import { type Profile, profiles } from './profile-file.ts'
import { readSecret } from './prompt.ts'

const LOCAL_HUB = 'http://localhost:8787'

/**
 * What the environment chooses: the profile that `HUB_PROFILE` names, the hub at `HUB_URL`, or the
 * local one. A profile's token must not reach another address, so the two exclude each other.
 */
function chosen(env: NodeJS.ProcessEnv): Profile & { name?: string } {
  const { HUB_PROFILE: name, HUB_URL: url, OPERATOR_TOKEN: token, ...rest } = env
  if (!name) {
    const access = accessOf(rest)
    return { url: url ?? LOCAL_HUB, ...(token ? { token } : {}), ...(access ? { access } : {}) }
  }
  if (url || token) {
    throw new UsageError('HUB_PROFILE chooses hub and token: do not set HUB_URL or OPERATOR_TOKEN beside it.')
  }
  const known = profiles()
  const profile = known[name]
  if (profile) return { ...profile, name }
  throw new UsageError(
    `There is no profile ${quoted(name)}. ${notAmong(Object.keys(known), name)} ` +
      `To make it: hub login ${name} --url URL`,
  )
}

/** A hub's address. `secret` is what is sent there: never over http to another machine. */
export function hubUrl(url: string, secret: string, from = 'HUB_URL'): string {
  const protocol = URL.parse(url)?.protocol ?? ''
  if (!/^https?:$/.test(protocol)) throw new UsageError(`${from} must be an http or https URL, not ${url}`)
  if (protocol === 'http:' && !isHere(url)) {
    throw new UsageError(`${from} must be an https URL, not ${url}: ${secret} could be read on the way.`)
  }
  return url
}

export function isHere(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}

/**
 * The hub that an operator asks: with the headers that say who asks, and what the token is called.
 */
export type OperatorsHub = { url: string; credentials: Record<string, string>; token: string }

export function operatorsHub(profile: Profile & { name?: string } = chosen(process.env)): OperatorsHub {
  const url = hubUrl(profile.url, 'the operator token')
  const { id, secret } = profile.access ?? {}
  return {
    url,
    token: profile.name === undefined ? 'the OPERATOR_TOKEN' : `the token of the profile ${profile.name}`,
    credentials: {
      authorization: `Bearer ${profile.token ?? localToken(url)}`,
      ...(id && secret ? { 'cf-access-client-id': id, 'cf-access-client-secret': secret } : {}),
    },
  }
}

/**
 * The service token of Cloudflare Access, for a hub behind Access. The hub itself does not read it.
 */
export function accessOf(env: NodeJS.ProcessEnv): Profile['access'] {
  const { CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' } = env
  if (id === '' && secret === '') return undefined
  if (id !== '' && secret !== '') return { id, secret }
  throw new UsageError('CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET go together: one of them is not set.')
}

function localToken(url: string): string {
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (!isHere(url)) throw new Error(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  if (!token) throw new Error(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}

export type TestHub = { url: string; key: string }

export const KEY_FLAG = {
  key: option('-', 'read the API key of a shop in test mode from standard input; else HUB_API_KEY has it'),
}

/**
 * The hub that a developer asks, with the key of `HUB_API_KEY` or, after `--key -`, of standard
 * input. Throws a UsageError where there is none.
 */
export async function developersHub(given: string | undefined): Promise<TestHub> {
  if (given !== undefined && given !== '-') {
    throw new UsageError(
      'Others on this machine can read a key among the arguments. Set HUB_API_KEY, or pass it by standard ' +
        'input: --key - < FILE',
    )
  }
  const key = given === '-' ? await readSecret('API key') : process.env['HUB_API_KEY']
  if (key === undefined) {
    throw new UsageError(
      'Set HUB_API_KEY to the API key of a point of sale in test mode. `npx hub pos create --name "Test"` makes one.',
    )
  }
  if (!/^[0-9A-Za-z]{160}$/.test(key)) {
    throw new UsageError('The API key must have 160 letters and digits, as `npx hub pos create` shows it.')
  }
  return { url: hubUrl(chosen(process.env).url, 'the API key'), key }
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
