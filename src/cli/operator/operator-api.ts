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

/**
 * Follows a stream of events at an address of the operator API. `next` resolves when something came, or after a time (ms); what came is
 * for the caller to read again. A stream that ends is opened anew.
 */
export const operatorStream = (
  env: NodeJS.ProcessEnv,
  address: string,
  signal: AbortSignal,
): { next: (time: number) => Promise<void> } => {
  const { url, token } = chosenHub(env)
  let news = Promise.withResolvers<void>()
  const follow = async (): Promise<void> => {
    const response = await fetch(new URL(`/operator/v1${address}`, url), {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal,
    })
    if (!response.ok) await response.body?.cancel()
    else for await (const part of response.body ?? []) if (!isComment(part)) news.resolve()
  }
  let following: Promise<void> | null = null
  return {
    async next(time) {
      following ??= follow()
        .catch(() => {})
        .finally(() => (following = null))
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, time)))
      await Promise.race([news.promise, late])
      clearTimeout(timer)
      news = Promise.withResolvers()
    },
  }
}

const isComment = (part: Uint8Array): boolean => new TextDecoder().decode(part).startsWith(':')

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
  if (ok) throw new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  if (status === 401) throw new Error(`The hub at ${url} refuses the OPERATOR_TOKEN.`)
  const problem = v.safeParse(Problem, json.output)
  const reason = problem.success ? problem.output.detail : text.slice(0, 200).replaceAll(/\s+/g, ' ')
  throw new Error(`The hub at ${url} answered ${status}: ${reason}`)
}

const Json = v.pipe(v.string(), v.parseJson())

const send = async (
  url: URL,
  request: RequestInit,
): Promise<{ ok: boolean; status: number; text: string }> => {
  try {
    const response = await fetch(url, request)
    return { ok: response.ok, status: response.status, text: await response.text() }
  } catch {
    throw new Error(`No hub answers at ${url.origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
}
