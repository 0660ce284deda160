import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import * as v from 'valibot'
import { certificateFault } from './unreachable.ts'
import { UsageError, notAmong, quoted } from './usage-error.ts'
import { printableText } from './view.ts'

/** The hub that handed this program out, and wrote its address next to it (src/site/routes.ts); null in a clone. */
const HANDED_OUT_BY = hubBeside(new URL('hub.json', import.meta.url))

/**
 * How this program was called. A package manager looks nothing up for it: the name of the kit is not the
 * hub's in any registry.
 */
export const PROGRAM = HANDED_OUT_BY === null ? 'npx hub' : startedAs(process.argv[1] ?? '')

function startedAs(file: string): string {
  const path = relative('', file)
  return path.endsWith('.js') ? `node ${path}` : path
}

const DEFAULT_HUB = HANDED_OUT_BY ?? 'http://localhost:8787'

function hubBeside(file: URL): string | null {
  if (!existsSync(file)) return null
  return v.parse(v.pipe(v.string(), v.parseJson(), v.object({ url: v.string() })), readFileSync(file, 'utf8'))
    .url
}

/** A hub and its credentials. The local hub needs no token here. */
const Profile = v.object({
  url: v.string(),
  token: v.optional(v.string()),
  /** The service token of Cloudflare Access, for a hub behind Access. */
  access: v.optional(v.object({ id: v.string(), secret: v.string() })),
})
export type Profile = v.InferOutput<typeof Profile>

const Profiles = v.pipe(v.string(), v.parseJson(), v.record(v.string(), Profile))
type Profiles = v.InferOutput<typeof Profiles>

/** Returns the path of profiles (https://specifications.freedesktop.org/basedir-spec/latest/). */
export function profileFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'payment-hub', 'profiles.json')
}

/** Returns the profiles by name. Throws if the file exists and has no readable profiles. */
export function readProfiles(): Profiles {
  const file = profileFile()
  if (!existsSync(file)) return {}
  const read = v.safeParse(Profiles, readFileSync(file, 'utf8'))
  if (read.success) return read.output
  throw new Error(`${file} has no profiles that this release can read. Correct it, or remove it.`)
}

/** Writes the profiles, all or nothing, to a file that only its owner can read. */
export function writeProfiles(all: Profiles): void {
  const file = profileFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  renameSync(part, file)
}

/**
 * Returns the hub that the environment chooses: the profile in `HUB_PROFILE`, the hub at `HUB_URL`,
 * or the one that handed this program out, or the local one. Throws for both, because a profile's token
 * must not reach another address. Only operators have profiles: a program that a hub handed out ignores them.
 */
export function chosenHub(env: NodeJS.ProcessEnv): Profile & { name?: string } {
  const { HUB_PROFILE: name, HUB_URL: url, OPERATOR_TOKEN: token } = env
  if (!name || HANDED_OUT_BY !== null) return { url: url ?? DEFAULT_HUB, token, access: accessOf(env) }
  if (url || token) {
    throw new UsageError('HUB_PROFILE chooses hub and token: do not set HUB_URL or OPERATOR_TOKEN as well.')
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

/** Returns the service token of Cloudflare Access, for a hub behind Access. The hub ignores it. */
export function accessOf(env: NodeJS.ProcessEnv): Profile['access'] {
  const { CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' } = env
  if (id === '' && secret === '') return undefined
  if (id !== '' && secret !== '') return { id, secret }
  throw new UsageError('CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET go together: one of them is not set.')
}

/** Says that no hub answers at an address, and why, as far as the error of the request shows it. */
export function noHubAt(error: unknown, url: string | URL = chosenHub(process.env).url): string {
  const { origin } = new URL(url)
  const fault = certificateFault(error)
  if (fault !== '') return `The hub at ${origin} cannot be reached safely. ${fault}`
  return isHere(origin) && HANDED_OUT_BY === null
    ? `No hub answers at ${origin}. Start one with \`npm run dev\`, or set HUB_URL.`
    : `No hub answers at ${origin}. Check the network and HUB_URL.${proxyAdvice(process.env)}`
}

function proxyAdvice({
  HTTPS_PROXY,
  https_proxy: small,
  NODE_USE_ENV_PROXY: isUsed,
}: NodeJS.ProcessEnv): string {
  return (HTTPS_PROXY || small) && !isUsed
    ? ' HTTPS_PROXY is set: Node 22.21, 24.5 or newer uses it with NODE_USE_ENV_PROXY=1, and NO_PROXY=localhost for your shop.'
    : ''
}

/** The problem in a hub's answer (RFC 9457). */
export const Problem = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ status: v.optional(v.number()), detail: v.string() }),
)
export type Problem = v.InferOutput<typeof Problem>

/** A refusal of the hub, or of a server on the way. `problem` is the hub's answer. */
export class HubError extends Error {
  readonly problem: Problem | null

  constructor(message: string, problem: Problem | null = null) {
    super(message)
    this.problem = problem
  }
}

/** Returns a hub's reason for a refusal, or the beginning of an answer without one, in one printable line. */
export function reasonIn(text: string): string {
  const read = v.safeParse(Problem, text)
  return printableText(read.success ? read.output.detail : text.slice(0, 200).replaceAll(/\s+/g, ' '))
}
