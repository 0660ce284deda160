import { type IRequest, Router, type RouterType } from 'itty-router'
import { describeFault } from '../domain/fault.ts'
import { type Refusal, faultProblem, problem } from './refusal.ts'

/** What a handler may answer: a response, a refusal, or nothing, to let the next one go on. */
export type Answer = Response | Refusal | undefined

type Arguments = [Env]
export type RouteTable = RouterType<IRequest, Arguments>

/** The way into a part of the hub. */
export type Door = (request: Request, env: Env) => Promise<Response>

/**
 * Makes a door of its routes: refusals become problems, a known path with another method is a 405, and what nobody
 * expected is logged and answered as a plain 500 that tells nothing.
 */
export const door = (routes: (router: RouteTable) => void): Door => {
  const router: RouteTable = Router<IRequest, Arguments>()
  routes(router)
  return async (request, env) => {
    try {
      // A HEAD is a GET whose body the runtime leaves out.
      const asked = request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request
      const answer: Answer = await router.fetch(asked, env)
      return finish(answer ?? unserved(router, request), request)
    } catch (error) {
      return finish(unexpected(error), request)
    }
  }
}

const finish = (answer: Response | Refusal, request: Request): Response => {
  const response = answer instanceof Response ? answer : problem(answer)
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  response.headers.set('x-content-type-options', 'nosniff')
  return request.method === 'HEAD' ? new Response(null, response) : response
}

const unserved = (router: RouteTable, request: Request): Refusal => {
  const { pathname } = new URL(request.url)
  const allow = new Set<string>()
  for (const [method, pattern] of router.routes) {
    if (method === 'ALL' || !pattern.test(pathname)) continue
    allow.add(method)
    if (method === 'GET') allow.add('HEAD')
  }
  return allow.size === 0
    ? { refused: 'not-found', detail: 'There is nothing at this address.' }
    : { refused: 'method-not-allowed', allow: [...allow] }
}

const unexpected = (error: unknown): Response | Refusal => {
  const id = crypto.randomUUID()
  console.error({ event: 'request.failed', id, error: describeFault(error) })
  return isOutage(error)
    ? {
        refused: 'unavailable',
        detail: 'A part of the hub does not answer now. Try again in a moment.',
        retryAfter: 2,
      }
    : faultProblem(id)
}

/**
 * A part of the platform that is down or too busy for now, as its errors say: objects by their properties
 * (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/), D1 and KV by their messages.
 */
const isOutage = (error: unknown): boolean =>
  error instanceof Error &&
  (('overloaded' in error && error.overloaded === true) ||
    ('retryable' in error && error.retryable === true) ||
    /^(D1_|KV )/.test(error.message) ||
    (error.cause !== undefined && isOutage(error.cause)))
