import * as v from 'valibot'
import { type AnyInput, type Operation, addressOf } from '../../contract/operation.ts'
import {
  type AnswerOf,
  type Arguments,
  type Name,
  OPERATOR_OPERATIONS,
} from '../../contract/operator-operations.ts'
import type { Problem } from '../../contract/problems.ts'

/** Calls the operator API inside this Worker. */
export type OperatorApi = (request: Request) => Promise<Response>

export type ApiFailure = { ok: false; problem: ApiProblem }
export type ApiAnswer<T> = { ok: true; value: T } | ApiFailure
export type ApiProblem = Pick<Problem, 'status' | 'detail' | 'errors'>

/** Refuses what the console itself cannot do. By default it cannot read a form's field. */
export function refused(detail: string, status = 422): ApiFailure {
  return { ok: false, problem: { status, detail } }
}

/** Calls an operation of the operator API on behalf of the page's visitor. */
export type Api = <Of extends Name>(name: Of, ...input: Arguments<Of>) => Promise<ApiAnswer<AnswerOf<Of>>>

/** The same for any operation. */
export type AnyApi = (name: Name, input: AnyInput) => Promise<ApiAnswer<unknown>>

/**
 * The browser's headers that prove to the API who the visitor is, and that a page of the console
 * sent the request. The console sets the others itself.
 */
const PASSED = ['cookie', 'cf-access-jwt-assertion', 'cf-connecting-ip', 'origin', 'sec-fetch-site']

/** Passes on the browser's identity, or uses `token` instead if it is given. */
export function apiOf(request: Request, ask: OperatorApi, token?: string): Api {
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

/** The most pages of a change that one click makes. */
const MOST_PAGES = 20

/** Repeats a change that the API makes a page at a time. Returns the last page's answer. */
export async function pageByPage(
  make: (next?: string) => Promise<ApiAnswer<unknown>>,
): Promise<ApiAnswer<unknown>> {
  let made = await make()
  for (let page = 1; made.ok && page < MOST_PAGES; page++) {
    const { next } = v.parse(Page, made.value)
    if (next === null) break
    made = await make(next)
  }
  return made
}

const Page = v.object({ next: v.nullable(v.string()) })

/** Makes an address, without empty form fields. */
function addressFor(row: Pick<Operation, 'path'>, { params = {}, query = {} }: AnyInput): string {
  return addressOf(row, {
    params,
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
  })
}

/** Returns an address that the browser opens itself, with its cookie. */
export function exportAddress(
  name: 'exportJobs' | 'exportMovements',
  query: NonNullable<AnyInput['query']>,
): string {
  return addressFor(OPERATOR_OPERATIONS[name], { query: { format: 'csv', ...query } })
}
export function eventsAddress(id: string): string {
  return addressFor(OPERATOR_OPERATIONS.watchJob, { params: { id } })
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response
  try {
    const { detail, errors } = await response.json<Problem>()
    return { status, detail, ...(errors ? { errors } : {}) }
  } catch {
    return { status, detail: `The API answered with ${status}.` }
  }
}
