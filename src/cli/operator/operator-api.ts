import { join } from 'node:path'
import * as v from 'valibot'
import { LOCAL_SECRETS, readSecrets } from '../secrets.ts'
import { PROJECT } from '../wrangler.ts'

const LOCAL_HUB = 'http://localhost:8787'

/** What a command cannot do, said to the operator as it is. */
export class CommandError extends Error {}

/** A hub's operator API. */
export type OperatorApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** The hub that `HUB_URL` and `OPERATOR_TOKEN` choose: without them, the local one with its own token. */
export const operatorApi = (env: NodeJS.ProcessEnv): OperatorApi => {
  const url = env['HUB_URL'] ?? LOCAL_HUB
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new CommandError(`HUB_URL must be an http or https URL, not ${url}`)
  }
  const token = env['OPERATOR_TOKEN'] ?? localToken(url)
  return (method, path, body) => call(url, token, method, path, body)
}

/** The local token is only ever sent to this machine. */
const localToken = (url: string): string => {
  const host = URL.parse(url)?.hostname
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (host !== 'localhost' && host !== '127.0.0.1' && host !== '[::1]') {
    throw new CommandError(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  }
  if (!token) throw new CommandError(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}

const call = async (
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> => {
  let response: Response
  try {
    response = await fetch(new URL(`/operator/v1${path}`, url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  } catch {
    throw new CommandError(`No hub answers at ${url}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  if (response.status === 401) throw new CommandError(`The hub at ${url} refuses the OPERATOR_TOKEN.`)
  throw new CommandError(`The hub at ${url} answered ${response.status}: ${reasonOf(text)}`)
}

const Problem = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }))

const reasonOf = (text: string): string => {
  const problem = v.safeParse(Problem, text)
  return problem.success ? problem.output.error : text.slice(0, 200)
}
