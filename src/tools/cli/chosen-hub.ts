import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { option } from '../program.ts'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { PROJECT } from '../wrangler.ts'
import { readSecret } from './prompt.ts'

const LOCAL_HUB = 'http://localhost:8787'

/** A hub and its credentials. The local hub needs no token here. */
const Profile = v.object({
  url: v.string(),
  token: v.optional(v.string()),
  /** The service token of Cloudflare Access, for a hub behind Access. */
  access: v.optional(v.object({ id: v.string(), secret: v.string() })),
})
type Profile = v.InferOutput<typeof Profile>

const Profiles = v.pipe(v.string(), v.parseJson(), v.record(v.string(), Profile))
type Profiles = v.InferOutput<typeof Profiles>

/** Returns the path of profiles (https://specifications.freedesktop.org/basedir-spec/latest/). */
export function profileFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'payment-hub', 'profiles.json')
}

/** Returns the profiles by name. Throws where the file exists and cannot be read as profiles. */
export function readProfiles(): Profiles {
  const file = profileFile()
  if (!existsSync(file)) return {}
  const read = v.safeParse(Profiles, readFileSync(file, 'utf8'))
  if (read.success) return read.output
  throw new Error(`${file} has no profiles that this release can read. Correct it, or remove it.`)
}

/** Writes the profiles to a file that its owner alone can read: whole, or not at all. */
export function writeProfiles(all: Profiles): void {
  const file = profileFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  renameSync(part, file)
}

/**
 * Returns the hub that the environment chooses: the profile in `HUB_PROFILE`, the hub at `HUB_URL`,
 * or the local one. Throws for both, because a profile's token must not reach another address.
 */
function chosen(env: NodeJS.ProcessEnv): Profile & { name?: string } {
  const { HUB_PROFILE: name, HUB_URL: url, OPERATOR_TOKEN: token } = env
  if (!name) return { url: url ?? LOCAL_HUB, token, access: accessOf(env) }
  if (url || token) {
    throw new UsageError('HUB_PROFILE chooses hub and token: do not set HUB_URL or OPERATOR_TOKEN beside it.')
  }
  const known = readProfiles()
  const profile = known[name]
  if (profile) return { ...profile, name }
  throw new UsageError(
    `There is no profile ${quoted(name)}. ${notAmong(Object.keys(known), name)} ` +
      `To make it: hub login ${name} --url URL`,
  )
}

/** Returns a hub's address. Throws for http to another machine, where `secret` could be read. */
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
 * The hub that an operator uses. `credentials` are headers, `token` is the token's name in
 * messages.
 */
export type OperatorsHub = { url: string; credentials: Record<string, string>; token: string }

export function operatorsHub(profile: Profile & { name?: string } = chosen(process.env)): OperatorsHub {
  const url = hubUrl(profile.url, 'the operator token')
  const { id, secret } = profile.access ?? {}
  return {
    url,
    token: profile.name === undefined ? 'the OPERATOR_TOKEN' : `the token of the profile ${profile.name}`,
    credentials: {
      authorization: `Bearer ${inHeader('The operator token', profile.token || localToken(url))}`,
      ...(id && secret
        ? {
            'cf-access-client-id': inHeader('CF_ACCESS_CLIENT_ID', id),
            'cf-access-client-secret': inHeader('CF_ACCESS_CLIENT_SECRET', secret),
          }
        : {}),
    },
  }
}

/** Returns a secret. Throws a UsageError if no header can carry it, such as two pasted lines. */
function inHeader(name: string, secret: string): string {
  if (/^[!-~]+$/.test(secret.trim())) return secret
  throw new UsageError(`${name} must be one word of visible ASCII characters, on one line.`)
}

/** Returns the service token of Cloudflare Access, for a hub behind Access. The hub ignores it. */
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
 * Returns the hub that a developer uses, with the key of `HUB_API_KEY` or, after `--key -`, of
 * standard input. Throws a UsageError without one.
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

export function noHubAt(url: string | URL = chosen(process.env).url): string {
  const { origin } = new URL(url)
  return isHere(origin)
    ? `No hub answers at ${origin}. Start one with \`npm run dev\`, or set HUB_URL.`
    : `No hub answers at ${origin}. See to the network, and whether HUB_URL is right.`
}

/** The problem in a hub's answer (RFC 9457). */
export const Problem = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ status: v.optional(v.number()), detail: v.string() }),
)
export type Problem = v.InferOutput<typeof Problem>

/** Returns a hub's reason for a refusal, or the beginning of an answer without one. */
export function reasonIn(text: string): string {
  const read = v.safeParse(Problem, text)
  return read.success ? read.output.detail : text.slice(0, 200).replaceAll(/\s+/g, ' ')
}
