import {
  type AnyInput,
  type InputOf,
  type Operation,
  type OutputOf,
  addressOf,
} from '../contract/operation.ts'
import { OPERATOR_OPERATIONS, type OperatorOperations } from '../contract/operator-operations.ts'
import type { Problem } from '../contract/problems.ts'

/** The operator API, in this same Worker. */
export type Ask = (request: Request) => Promise<Response>

/** What the API answered: a value, or its problem. */
export type Answer<T> = { ok: true; value: T } | { ok: false; problem: ApiProblem }
export type ApiProblem = Pick<Problem, 'status' | 'detail' | 'errors'> & { code: string }

type Name = keyof OperatorOperations
/** A body has what a form said: the API judges it. */
type Input<Of extends Name> =
  InputOf<OperatorOperations[Of]> extends infer Known
    ? 'body' extends keyof Known
      ? Omit<Known, 'body'> & { body?: Readonly<Record<string, unknown>> }
      : Known
    : never
type Arguments<Of extends Name> = object extends Input<Of> ? [input?: Input<Of>] : [input: Input<Of>]

/** Asks for an operation of the operator API, as whoever asked for the page. */
export type Api = <Of extends Name>(
  name: Of,
  ...input: Arguments<Of>
) => Promise<Answer<OutputOf<OperatorOperations[Of]>>>

/**
 * The headers of a browser's request that the API judges by: who asks, and whether a page of ours made it ask. The rest of them, such as the
 * type of a form, is of the console's own request.
 */
const PASSED = [
  'cookie',
  'cf-access-jwt-assertion',
  'cf-connecting-ip',
  'origin',
  'sec-fetch-site',
  'x-request-id',
]

/** The operator API for the browser that made a request; for whoever has `token`, where one is given. */
export function apiOf(request: Request, ask: Ask, token?: string): Api {
  return async (name, ...[input]) => {
    const row: Operation = OPERATOR_OPERATIONS[name]
    const given: AnyInput = input ?? {}
    const headers = new Headers({ accept: 'application/json' })
    for (const passed of PASSED) {
      const value = request.headers.get(passed)
      if (value !== null) headers.set(passed, value)
    }
    if (given.body) headers.set('content-type', 'application/json')
    if (token !== undefined) {
      headers.set('authorization', `Bearer ${token}`)
      headers.delete('cookie')
    }
    const { method } = row
    const sent = method === 'GET' ? {} : { body: given.body ? JSON.stringify(given.body) : '' }
    const url = new URL(addressFor(row, given), request.url)
    const response = await ask(new Request(url, { method, headers, ...sent }))
    return response.ok
      ? { ok: true, value: await response.json() }
      : { ok: false, problem: await problemOf(response) }
  }
}

/** The address of an operation. A field that a form left empty is no part of its query. */
function addressFor(row: Pick<Operation, 'path'>, { params = {}, query = {} }: AnyInput): string {
  return addressOf(row, {
    params,
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
  })
}

/** Where the browser itself asks the API: for a file to keep, and for what happens to a payment. Its cookie goes with it. */
export function exportAddress(query: AnyInput['query']): string {
  return addressFor(OPERATOR_OPERATIONS.exportJobs, { query: { format: 'csv', ...query } })
}
export function eventsAddress(id: string): string {
  return addressFor(OPERATOR_OPERATIONS.watchJob, { params: { id } })
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response
  try {
    const { code, detail, errors } = await response.json<Problem>()
    return { status, code, detail, ...(errors ? { errors } : {}) }
  } catch {
    return { status, code: '', detail: `The API answered with ${status}.` }
  }
}
