import { type IRequest, Router } from 'itty-router'
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

function routerOf(define: (table: RouteTable) => void) {
  const router = Router<IRequest, [Context]>()
  const route =
    (method: 'get' | 'post'): Route =>
    (pattern, handler) => {
      router[method](pattern, (request, context) => {
        const found = Object.entries(request.params).map(([name, part]) => [name, part && decodedPart(part)])
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router finds what the pattern names
        const params = Object.fromEntries(found) as ParamsOf<typeof pattern>
        return handler(request, { ...context, pattern, params })
      })
      return table
    }
  const table: RouteTable = {
    get: route('get'),
    post: route('post'),
    guard: (below, guard) => {
      router.all(below, async (request, context) => (await guard(request as Request, context)) ?? undefined)
      return table
    },
  }
  define(table)
  return router
}

/**
 * Makes a router, at the first request: a Worker that starts has hundreds of routes, and a payment needs few.
 * Refusals become problems, and a wrong method of a known path becomes a 405. An unexpected error is logged, and
 * becomes a plain 500 that reveals nothing.
 */
export function routes(define: (table: RouteTable) => void): Entrance {
  let made: ReturnType<typeof routerOf> | undefined
  return async (request, env) => {
    try {
      const router = (made ??= routerOf(define))
      // The runtime leaves out the body of the answer to a HEAD.
      const isHead = request.method === 'HEAD'
      const asked = isHead ? new Request(request, { method: 'GET' }) : request
      const answer: RouteResult | undefined = await router.fetch(asked, {
        env,
        config: readConfig(env),
        pattern: '',
        params: {},
        isHead,
      })
      return finish(answer ?? refuse(unserved(router.routes, request)), request)
    } catch (error) {
      return finish(refuse(unexpected(error)), request)
    }
  }
}

/** Decodes a part of a path (RFC 3986, section 2.1), because the router does not. */
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

function unserved(entries: ReturnType<typeof Router>['routes'], request: Request): Refusal {
  const { pathname } = new URL(request.url)
  const allow = new Set<string>()
  for (const [method, pattern] of entries) {
    if (method === 'ALL' || !pattern.test(pathname)) continue
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
