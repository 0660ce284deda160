import type { ParamsOf } from '../../contract/operation.ts'
import { type Config, readConfig } from '../config.ts'
import { refuse, type Result } from '../../contract/result.ts'
import { problem, type Refusal } from './refusal.ts'
import { log } from '../log.ts'
import { currentRequestId } from '../request-context.ts'
import { isUnreadable } from '../stored.ts'

export type RouteResult = Result<Response, Refusal>

/**
 * The context of a request: `params` are the parts of the path that `pattern` names. `isHead`: the
 * client sent a HEAD, which reaches the handler as a GET, and must have no effect (RFC 9110,
 * section 9.2.1).
 */
export type Context<Params = object> = {
  env: Env
  config: Config
  pattern: string
  params: Params
  isHead: boolean
}

export type Handler<Params = object> = (
  request: Request,
  context: Context<Params>,
) => RouteResult | Promise<RouteResult>

/** Sees each request below a path before its handler does. Null lets the request pass. */
export type Guard = (request: Request, context: Context) => Promise<RouteResult | null>

type Route = <Pattern extends string>(pattern: Pattern, handler: Handler<ParamsOf<Pattern>>) => RouteTable

export type RouteTable = {
  get: Route
  post: Route
  guard: (below: string, guard: Guard) => RouteTable
}

export type Entrance = (request: Request, env: Env) => Promise<Response>

/** A row of a router. A guard has no method: it sees every request. */
type Row = {
  method: 'GET' | 'POST' | null
  pattern: RegExp
  answer: (
    request: Request,
    context: Context,
    parts: Readonly<Record<string, string | undefined>>,
  ) => ReturnType<Handler> | ReturnType<Guard>
}

function rowsOf(define: (table: RouteTable) => void): Row[] {
  const rows: Row[] = []
  const route =
    (method: 'GET' | 'POST'): Route =>
    (pattern, handler) => {
      const answer: Row['answer'] = (request, context, parts) => {
        const found = Object.entries(parts).map(([name, part]) => [name, part && decodedPart(part)])
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern names the parts
        const params = Object.fromEntries(found) as ParamsOf<typeof pattern>
        return handler(request, { ...context, pattern, params })
      }
      rows.push({ method, pattern: patternOf(pattern), answer })
      return table
    }
  const table: RouteTable = {
    get: route('GET'),
    post: route('POST'),
    guard: (below, guard) => {
      rows.push({ method: null, pattern: patternOf(below), answer: guard })
      return table
    },
  }
  define(table)
  return rows
}

/** Reads `/jobs/:id`, `/jobs/:id?` and `/jobs/*`. With slashes at the end, a path is the same resource. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/\/:(\w+)/g, '(?:/(?<$1>[^/]+?))')
    .replace(/\/\*$/, '(?:/.*)?')
  return new RegExp(`^${source}/*$`)
}

/**
 * Makes a router, at the first request: a Worker that starts has hundreds of routes, and a payment needs few.
 * Refusals become problems, and a wrong method of a known path becomes a 405. An unexpected error is logged, and
 * becomes a plain 500 that reveals nothing.
 */
export function routes(define: (table: RouteTable) => void): Entrance {
  let rows: Row[] | undefined
  return async (request, env) => {
    try {
      rows ??= rowsOf(define)
      return finish(await answerOf(rows, request, env), request)
    } catch (error) {
      return finish(refuse(unexpected(error)), request)
    }
  }
}

async function answerOf(rows: readonly Row[], request: Request, env: Env): Promise<RouteResult> {
  // The runtime leaves out the body of the answer to a HEAD.
  const isHead = request.method === 'HEAD'
  const asked = isHead ? new Request(request, { method: 'GET' }) : request
  const context = { env, config: readConfig(env), pattern: '', params: {}, isHead }
  const { pathname } = new URL(request.url)
  for (const { method, pattern, answer } of rows) {
    const found = method === null || method === asked.method ? pattern.exec(pathname) : null
    const answered = found && (await answer(asked, context, found.groups ?? {}))
    if (answered) return answered
  }
  return refuse(unserved(rows, pathname))
}

/** Decodes a part of a path (RFC 3986, section 2.1). One that cannot be decoded stays as it is. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function finish(answer: RouteResult, request: Request): Response {
  const response = answer.ok ? answer.value : problem(answer.error)
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  response.headers.set('x-content-type-options', 'nosniff')
  return request.method === 'HEAD' ? new Response(null, response) : response
}

function unserved(rows: readonly Row[], pathname: string): Refusal {
  const allow = new Set<string>()
  for (const { method, pattern } of rows) {
    if (method === null || !pattern.test(pathname)) continue
    allow.add(method)
    if (method === 'GET') allow.add('HEAD')
  }
  return allow.size === 0
    ? { code: 'address-unknown', detail: 'There is nothing at this address.' }
    : { code: 'method-not-allowed', allow: [...allow] }
}

/**
 * Tells whether an error means that a part of the platform is down or too busy for now. Objects set
 * properties (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/); D1
 * and KV have typical messages.
 */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('overloaded' in error && error.overloaded === true) ||
      ('retryable' in error && error.retryable === true) ||
      /^(D1_|KV )/.test(error.message) ||
      (error.cause !== undefined && isOutage(error.cause)))
  )
}

/** Tells whether an object still runs the previous release and lacks a method. Vitest has the short form. */
function isOfPreviousRelease(error: unknown): boolean {
  return error instanceof Error && /does not implement (the method )?"/.test(error.message)
}

/** Logs an unexpected error with an id, and returns a refusal with 503, or a plain 500. */
export function unexpected(error: unknown): Refusal {
  const id = currentRequestId()
  log.fault(isUnreadable(error) ? 'stored.unreadable' : 'request.failed', error, { id })
  if (isUnreadable(error)) return unreadable
  if (isOfPreviousRelease(error)) return deploying
  return isOutage(error) ? outage : { code: 'internal-error', id }
}

const deploying: Refusal = {
  code: 'deploy-under-way',
  detail: 'A new release of the hub is being deployed. Try again in a minute.',
  retryAfter: 60,
}

const unreadable: Refusal = {
  code: 'stored-unreadable',
  detail: 'This release of the hub cannot read the form in which this is stored.',
  retryAfter: 300,
}

const outage: Refusal = {
  code: 'unavailable',
  detail: 'A part of the hub is not answering. Try again in a moment.',
  retryAfter: 2,
}
