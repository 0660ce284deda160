import * as v from 'valibot'
import { type AnyInput, type Operation, addressOf } from '../contract/operation.ts'
import {
  type AnswerOf,
  type Arguments,
  type Name,
  OPERATOR_OPERATIONS,
} from '../contract/operator-operations.ts'
import { type OperatorsHub, operatorsHub } from './operators-hub.ts'
import { HubError, Problem, noHubAt, reasonIn } from '../programs/chosen-hub.ts'

/**
 * Calls an operation of the chosen hub, as the chosen operator. Returns the answer by the contract;
 * throws an Error that says why there is none.
 */
export async function ask<Of extends Name>(
  name: Of,
  ...[input]: Arguments<Of>
): Promise<Awaited<AnswerOf<Of>>> {
  return answerOf(name, await reach(name, anyInput(input)))
}

/** Reads an answer by the schema of its operation. */
export async function answerOf<Of extends Name>(
  name: Of,
  { hub, response }: Reached,
): Promise<Awaited<AnswerOf<Of>>> {
  const { schema }: Operation['answer'] = OPERATOR_OPERATIONS[name].answer
  if (!schema) throw new Error(`${name} answers no JSON`)
  const text = await response.text()
  const json = v.safeParse(Json, text)
  if (!response.ok || !json.success) throw refusal(hub, response, text)
  const read = v.safeParse(schema, json.output)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the row has read it
  if (read.success) return read.output as Awaited<AnswerOf<Of>>
  const place = v.getDotPath(read.issues[0]) ?? 'all of it'
  throw new Error(`The hub at ${hub.url} has another version: in its answer, ${place} is unexpected.`)
}

const Json = v.pipe(v.string(), v.parseJson())

function anyInput(input: object = {}): AnyInput {
  return input
}

type Paged = {
  [Of in Name]: AnswerOf<Of> extends { next?: string | null | undefined } ? Of : never
}[Name]

/**
 * Yields one page after the other, each from the `next` of the previous page. Ends when a page
 * fails.
 */
export async function* askPages<Of extends Paged>(
  name: Of,
  ...[input]: Arguments<Of>
): AsyncGenerator<Awaited<AnswerOf<Of>>> {
  const given = anyInput(input)
  let after = given.query?.['after']
  do {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `after` is part of the query of every operation that has pages
    const paged = [{ ...given, query: { ...given.query, after } }] as unknown as Arguments<Of>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Paged` has only operations that answer in pages
    const page = (await ask(name, ...paged)) as Awaited<AnswerOf<Of>> & { next?: string | null | undefined }
    yield page
    after = page.next ?? undefined
  } while (after !== undefined)
}

/**
 * Combines pages into one: adds up numbers, joins lists, and takes all other members from the last
 * page, and those that are the `same` on each. Calls `report` after each page.
 */
export async function addUp<Page extends object>(
  pages: AsyncIterable<Page>,
  report: (all: Omit<Page, 'next'>, page: Page) => void = () => {},
  same: readonly (keyof Page)[] = [],
): Promise<Omit<Page, 'next'>> {
  const all: Record<string, unknown> = {}
  for await (const page of pages) {
    const { next: _, ...members } = { next: null, ...page }
    for (const [name, value] of Object.entries<unknown>(members)) {
      all[name] = same.some((one) => one === name) ? value : added(all[name], value)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the members of each page
    report(all as Page, page)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return all as Page
}

function added(before: unknown, value: unknown): unknown {
  if (typeof before === 'number' && typeof value === 'number') return before + value
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
}

type RequestOptions = {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | null
  hub?: OperatorsHub
}
type Reached = { hub: OperatorsHub; response: Response }

/**
 * Calls a hub, by default the chosen one. A redirect is not followed, so its target gets no
 * credentials.
 */
export async function reach(
  name: Name,
  input: AnyInput,
  { headers, signal = null, hub = operatorsHub() }: RequestOptions = {},
): Promise<Reached> {
  const row: Operation = OPERATOR_OPERATIONS[name]
  const { body } = input
  try {
    const response = await fetch(new URL(addressOf(row, input), hub.url), {
      method: row.method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers, ...hub.credentials },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal,
    })
    return { hub, response }
  } catch (error) {
    throw new Error(noHubAt(error, hub.url), { cause: error })
  }
}

export function refusal(
  { url, token }: OperatorsHub,
  { ok, status, headers }: Response,
  text: string,
): Error {
  if (ok) return new Error(`The server at ${url} is not a hub. Set HUB_URL to the hub's address.`)
  const location = headers.get('location')
  if (location !== null) return new Error(sentOn(url, location))
  const read = v.safeParse(Problem, text)
  const problem = read.success ? read.output : null
  if (status === 401) return new HubError(`The hub at ${url} refuses ${token}.`, problem)
  return new HubError(`The hub at ${url} answered ${status}: ${reasonIn(text)}`, problem)
}

/**
 * Says where a redirect leads. Cloudflare Access redirects unknown callers to its
 * sign-in page.
 */
function sentOn(url: string, location: string): string {
  const to = URL.parse(location, url)
  return to?.hostname.endsWith('.cloudflareaccess.com')
    ? `Cloudflare Access is in front of the hub at ${url}. Set CF_ACCESS_CLIENT_ID and ` +
        'CF_ACCESS_CLIENT_SECRET to a service token that it lets in.'
    : `The hub at ${url} redirects to ${to?.origin ?? 'another address'}. Set HUB_URL to the hub's own address.`
}
