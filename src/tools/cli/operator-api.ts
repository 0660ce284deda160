import * as v from 'valibot'
import { Problem } from '../../operator-api/contract/problem.ts'
import { operatorsHub } from './chosen-hub.ts'
import { type AnswerOf, type InputOf, OPERATIONS, type OperationName, addressOf } from './operations.ts'
import { printableText } from './view.ts'

/**
 * Asks the chosen hub, as the chosen operator, for an operation of the operator API. Resolves with
 * the answer that the contract promises; an Error tells the operator why there is none.
 */
export async function ask<Name extends OperationName>(
  name: Name,
  input: InputOf<Name> = {},
): Promise<AnswerOf<Name>> {
  const { method, answer } = OPERATIONS[name]
  const { body } = input
  const { url, response } = await reach(addressOf(name, input), {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const read = v.safeParse(answer, await jsonOf(url, response))
  if (read.success) return read.output
  const place = v.getDotPath(read.issues[0]) ?? 'all of it'
  throw new Error(`The hub at ${url} is of another version: in its answer, ${place} is unexpected.`)
}

/** The operations that answer a page at a time, with the place of the next one. */
type Paged = {
  [Name in OperationName]: AnswerOf<Name> extends { next?: string | null | undefined } ? Name : never
}[OperationName]

/** Asks for one page after the other, each after the place that the one before named. A page that fails ends it. */
export async function* askPages<Name extends Paged>(
  name: Name,
  input: InputOf<Name> = {},
): AsyncGenerator<AnswerOf<Name>> {
  for (
    let after = input.query?.['after'] ?? null, isFirst = true;
    isFirst || after !== null;
    isFirst = false
  ) {
    const page: { next?: string | null | undefined } & AnswerOf<Name> = await ask(name, {
      ...input,
      query: { ...input.query, after: after ?? undefined },
    })
    yield page
    after = page.next ?? null
  }
}

/**
 * What the hub exports, part by part as it comes in, until `signal` stops it. An Error tells why
 * there is none, or that it is not whole.
 */
export async function* askFile<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal | null = null,
): AsyncGenerator<Uint8Array> {
  const { url, response } = await reach(addressOf(name, input), { headers: { accept: '*/*' }, signal })
  const isExport = /^(application\/x-ndjson|text\/csv)/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !isExport || !response.body) throw refusal(url, response, await response.text())
  const parts: AsyncIterable<Uint8Array> = response.body
  try {
    for await (const part of parts) yield part
  } catch {
    throw new Error('The hub broke the file off. It is not whole: try again.')
  }
}

/** Asks for a stream of events. */
export async function askEvents<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal,
): Promise<Response> {
  return (await reach(addressOf(name, input), { headers: { accept: 'text/event-stream' }, signal })).response
}

type Asked = Omit<RequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> }

/** Asks the chosen hub. Whoever it redirects to gets no credentials. */
async function reach(
  address: string,
  { headers, ...request }: Asked,
): Promise<{ url: string; response: Response }> {
  const { url, credentials } = operatorsHub(process.env)
  try {
    const response = await fetch(new URL(address, url), {
      ...request,
      headers: { ...headers, ...credentials },
      redirect: 'manual',
    })
    return { url, response }
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

/** What the hub, or the way to it, refused. Its message is for the operator, `problem` is what the hub answered. */
export class HubError extends Error {
  readonly problem: Problem | null

  constructor(message: string, problem: Problem | null = null) {
    super(message)
    this.problem = problem
  }
}

/** Why an answer is none that can be used. */
function refusal(url: string, { ok, status, headers }: Response, text: string): Error {
  if (ok) return new Error(`What answers at ${url} is no hub. Set HUB_URL to the hub's address.`)
  const location = headers.get('location')
  if (location !== null) return new Error(sentOn(url, location))
  const read = v.safeParse(v.pipe(Json, Problem), text)
  const problem = read.success ? read.output : null
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
