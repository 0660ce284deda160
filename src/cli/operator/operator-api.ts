import { join } from 'node:path'
import * as v from 'valibot'
import { Problem } from '../../operator-api/contract/problem.ts'
import { hubUrl, isHere } from '../hub-url.ts'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { PROJECT } from '../wrangler.ts'

/** A hub's operator API. Resolves with the answer that the contract promises; an Error tells the operator why not. */
export type OperatorApi = <Answer extends v.GenericSchema>(
  answer: Answer,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<v.InferOutput<Answer>>

/** A path whose parts are written as they are: each is encoded. */
export const path = (texts: TemplateStringsArray, ...parts: string[]): string =>
  String.raw({ raw: texts }, ...parts.map(encodeURIComponent))

/** The operator API of the hub that `HUB_URL` and `OPERATOR_TOKEN` choose: without them, the local one with its own token. */
export const operatorApi =
  (env: NodeJS.ProcessEnv): OperatorApi =>
  async (answer, method, address, body) => {
    const { url, token } = chosenHub(env)
    const credentials = { authorization: `Bearer ${token}`, ...accessHeaders(env) }
    const read = v.safeParse(answer, await call(url, credentials, method, address, body))
    if (read.success) return read.output
    const place = v.getDotPath(read.issues[0]) ?? 'all of it'
    throw new Error(`The hub at ${url} is of another version: in its answer, ${place} is unexpected.`)
  }

const chosenHub = (env: NodeJS.ProcessEnv): { url: string; token: string } => {
  const url = hubUrl(env, 'the operator token')
  return { url, token: env['OPERATOR_TOKEN'] ?? localToken(url) }
}

/** The service token of Cloudflare Access, for a hub that has Access in front of its operator API. The hub itself does not look at it. */
const accessHeaders = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const { CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' } = env
  if (id === '' && secret === '') return {}
  if (id !== '' && secret !== '') return { 'cf-access-client-id': id, 'cf-access-client-secret': secret }
  throw new Error('CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET go together: one of them is not set.')
}

/** The local token is only ever sent to this machine. */
const localToken = (url: string): string => {
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (!isHere(url)) {
    throw new Error(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  }
  if (!token) throw new Error(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}

const call = async (
  url: string,
  credentials: Record<string, string>,
  method: string,
  address: string,
  body?: object,
): Promise<unknown> => {
  const { ok, status, text, location } = await send(new URL(`/operator/v1${address}`, url), {
    method,
    // Whoever it leads to gets no credentials.
    redirect: 'manual',
    headers: { ...credentials, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = v.safeParse(Json, text)
  if (ok && json.success) return json.output
  if (ok) throw new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  if (location !== null) throw new Error(sentOn(url, location))
  if (status === 401) throw new Error(`The hub at ${url} refuses the OPERATOR_TOKEN.`)
  const problem = v.safeParse(Problem, json.output)
  const reason = problem.success ? problem.output.detail : text.slice(0, 200).replaceAll(/\s+/g, ' ')
  throw new Error(`The hub at ${url} answered ${status}: ${reason}`)
}

/** Cloudflare Access sends whoever it does not know to its own page, to sign in. */
const sentOn = (url: string, location: string): string => {
  const to = URL.parse(location, url)
  return to?.hostname.endsWith('.cloudflareaccess.com')
    ? `Cloudflare Access is in front of the hub at ${url}. Set CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET to a service token that it lets in.`
    : `The hub at ${url} sends on to ${to?.origin ?? 'somewhere else'}. Set HUB_URL to the hub's own address.`
}

const Json = v.pipe(v.string(), v.parseJson())

const send = async (
  url: URL,
  request: RequestInit,
): Promise<{ ok: boolean; status: number; text: string; location: string | null }> => {
  try {
    const response = await fetch(url, request)
    const { ok, status, headers } = response
    return { ok, status, text: await response.text(), location: headers.get('location') }
  } catch {
    throw new Error(`No hub answers at ${url.origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
}
