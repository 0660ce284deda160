import { join } from 'node:path'
import * as v from 'valibot'
import { Problem } from '../../contract/problems.ts'
import { hubUrl, isHere } from '../hub-url.ts'
import { problemOf } from '../problem.ts'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { PROJECT } from '../wrangler.ts'
import { HubError } from './hub-error.ts'
import { printableText } from './view.ts'

/** A hub's operator API. Resolves with the answer that the contract promises; an Error tells the operator why not. */
export type OperatorApi = <Answer extends v.GenericSchema>(
  answer: Answer,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<v.InferOutput<Answer>>

/** A path whose parts are written as they are: each is encoded. */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent))
}

/** The operator API of the hub that `HUB_URL` and `OPERATOR_TOKEN` choose: without them, the local one with its own token. */
export function operatorApi(env: NodeJS.ProcessEnv): OperatorApi {
  return async (answer, method, address, body) => {
    const { url, credentials } = chosenHub(env)
    const headers = { ...credentials, ...(body ? { 'content-type': 'application/json' } : {}) }
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const read = v.safeParse(answer, await jsonOf(url, await reach(url, address, request)))
    if (read.success) return read.output
    const place = v.getDotPath(read.issues[0]) ?? 'all of it'
    throw new Error(`The hub at ${url} is of another version: in its answer, ${place} is unexpected.`)
  }
}

/** Asks the chosen hub, as the chosen operator, for what it sends part by part. */
async function askStream(
  env: NodeJS.ProcessEnv,
  address: string,
  accept: string,
  signal: AbortSignal | null,
): Promise<{ url: string; response: Response }> {
  const { url, credentials } = chosenHub(env)
  return { url, response: await reach(url, address, { headers: { accept, ...credentials }, signal }) }
}

/**
 * What the hub exports at an address, part by part as it comes in, until `signal` stops it. An Error tells why there is none, or that it
 * is not whole.
 */
export const operatorFile = async function* (
  env: NodeJS.ProcessEnv,
  address: string,
  signal: AbortSignal | null = null,
): AsyncGenerator<Uint8Array> {
  const { url, response } = await askStream(env, address, '*/*', signal)
  const isExport = /^(application\/x-ndjson|text\/csv)/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !isExport || !response.body) throw refusal(url, response, await response.text())
  const parts: AsyncIterable<Uint8Array> = response.body
  try {
    for await (const part of parts) yield part
  } catch {
    throw new Error('The hub broke the file off. It is not whole: try again.')
  }
}

/** Asks the chosen hub for a stream of events, as the chosen operator. */
export async function askEvents(
  env: NodeJS.ProcessEnv,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  return (await askStream(env, address, 'text/event-stream', signal)).response
}

function chosenHub(env: NodeJS.ProcessEnv): { url: string; credentials: Record<string, string> } {
  const url = hubUrl(env, 'the operator token')
  const token = env['OPERATOR_TOKEN'] ?? localToken(url)
  return { url, credentials: { authorization: `Bearer ${token}`, ...accessHeaders(env) } }
}

/** The service token of Cloudflare Access, for a hub that has Access in front of its operator API. The hub itself does not look at it. */
function accessHeaders(env: NodeJS.ProcessEnv): Record<string, string> {
  const { CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' } = env
  if (id === '' && secret === '') return {}
  if (id !== '' && secret !== '') return { 'cf-access-client-id': id, 'cf-access-client-secret': secret }
  throw new Error('CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET go together: one of them is not set.')
}

/** The local token is only ever sent to this machine. */
function localToken(url: string): string {
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (!isHere(url)) {
    throw new Error(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  }
  if (!token) throw new Error(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}

/** Asks the hub. Whoever it leads to gets no credentials. */
async function reach(url: string, address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(`/operator/v1${address}`, url), { ...request, redirect: 'manual' })
  } catch {
    const { origin } = new URL(url)
    throw new Error(`No hub answers at ${origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
}

const Json = v.pipe(v.string(), v.parseJson())

async function jsonOf(url: string, response: Response): Promise<unknown> {
  const text = await response.text()
  const json = v.safeParse(Json, text)
  if (response.ok && json.success) return json.output
  throw refusal(url, response, text)
}

/** Why an answer is none that can be used. */
function refusal(url: string, { ok, status, headers }: Response, text: string): Error {
  if (ok) return new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  const location = headers.get('location')
  if (location !== null) return new Error(sentOn(url, location))
  const problem = problemOf(text, Problem)
  if (status === 401) return new HubError(`The hub at ${url} refuses the OPERATOR_TOKEN.`, problem)
  const reason = printableText(problem?.detail ?? text.slice(0, 200).replaceAll(/\s+/g, ' '))
  return new HubError(`The hub at ${url} answered ${status}: ${reason}`, problem)
}

/** Cloudflare Access sends whoever it does not know to its own page, to sign in. */
function sentOn(url: string, location: string): string {
  const to = URL.parse(location, url)
  return to?.hostname.endsWith('.cloudflareaccess.com')
    ? `Cloudflare Access is in front of the hub at ${url}. Set CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET to a service token that it lets in.`
    : `The hub at ${url} sends on to ${to?.origin ?? 'somewhere else'}. Set HUB_URL to the hub's own address.`
}
