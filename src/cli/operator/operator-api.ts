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
  const response = await send(new URL(`/operator/v1${address}`, url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await textOf(response, url)
  const json = v.safeParse(Json, text)
  if (response.ok && json.success) return json.output
  throw refused(url, response, text)
}

/** Why the hub gave no answer that can be used. */
const refused = (url: string, { ok, status }: Response, text: string): Error => {
  if (ok) return new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  if (status === 401) return new Error(`The hub at ${url} refuses the OPERATOR_TOKEN.`)
  const problem = v.safeParse(Problem, v.safeParse(Json, text).output)
  const reason = problem.success ? problem.output.detail : text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return new Error(`The hub at ${url} answered ${status}: ${reason}`)
}

/** A file of the operator API, as it comes. Whoever reads it gets an Error when it is broken off. */
export const operatorFile = async (
  env: NodeJS.ProcessEnv,
  address: string,
): Promise<AsyncIterable<Uint8Array>> => {
  const { url, token } = chosenHub(env)
  const headers = { authorization: `Bearer ${token}` }
  const response = await send(new URL(`/operator/v1${address}`, url), { headers })
  if (!response.ok) throw refused(url, response, await textOf(response, url))
  return wholeOf(response, url)
}

const wholeOf = async function* ({ body }: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of body ?? []) yield part
  } catch {
    throw new Error(`The hub at ${url} broke the file off. It is not whole: try again.`)
  }
}

const Json = v.pipe(v.string(), v.parseJson())

const send = async (url: URL, request: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, request)
  } catch {
    throw noHub(url.origin)
  }
}

const textOf = async (response: Response, url: string): Promise<string> => {
  try {
    return await response.text()
  } catch {
    throw noHub(new URL(url).origin)
  }
}

const noHub = (origin: string): Error =>
  new Error(`No hub answers at ${origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
