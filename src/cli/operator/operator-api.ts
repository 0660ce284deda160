import { join } from 'node:path'
import * as v from 'valibot'
import { Problem } from '../../operator-api/contract/problem.ts'
import { hubUrl, isHere } from '../hub-url.ts'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { PROJECT } from '../wrangler.ts'
import { HubError } from './hub-error.ts'

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
    const read = v.safeParse(answer, await call(url, token, method, address, body))
    if (read.success) return read.output
    const place = v.getDotPath(read.issues[0]) ?? 'all of it'
    throw new Error(`The hub at ${url} is of another version: in its answer, ${place} is unexpected.`)
  }

const chosenHub = (env: NodeJS.ProcessEnv): { url: string; token: string } => {
  const url = hubUrl(env, 'the operator token')
  return { url, token: env['OPERATOR_TOKEN'] ?? localToken(url) }
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
  token: string,
  method: string,
  address: string,
  body?: object,
): Promise<unknown> => {
  const { ok, status, text } = await send(new URL(`/operator/v1${address}`, url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = v.safeParse(Json, text)
  if (ok && json.success) return json.output
  throw refusal(url, ok, status, text)
}

/** Why an answer is none that can be used. */
const refusal = (url: string, ok: boolean, status: number, text: string): Error => {
  if (ok) return new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  const read = v.safeParse(Problem, v.safeParse(Json, text).output)
  const problem = read.success ? read.output : null
  if (status === 401) return new HubError(`The hub at ${url} refuses the OPERATOR_TOKEN.`, problem)
  const reason = problem?.detail ?? text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return new HubError(`The hub at ${url} answered ${status}: ${reason}`, problem)
}

/** What the hub exports at an address, an entry a line, as it comes in. An Error tells the operator why there is none. */
export const exportOf = async (env: NodeJS.ProcessEnv, address: string): Promise<ReadableStream> => {
  const { url, token } = chosenHub(env)
  const headers = { authorization: `Bearer ${token}` }
  const response = await reach(new URL(`/operator/v1${address}`, url), { headers })
  const isExport = response.headers.get('content-type') === 'application/x-ndjson'
  if (response.ok && isExport && response.body) return response.body
  throw refusal(url, response.ok, response.status, await response.text())
}

const Json = v.pipe(v.string(), v.parseJson())

const send = async (
  url: URL,
  request: RequestInit,
): Promise<{ ok: boolean; status: number; text: string }> => {
  const response = await reach(url, request)
  return { ok: response.ok, status: response.status, text: await response.text() }
}

const reach = async (url: URL, request: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, request)
  } catch {
    throw new Error(`No hub answers at ${url.origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
}
