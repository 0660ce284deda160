import { AsyncLocalStorage } from 'node:async_hooks'

/** The id of the request, and the origin that was asked: empty in a queue or an alarm. */
type RequestContext = { id: string; origin: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Does the work for one request, or without one a piece of work that has an id of its own. */
export function inRequest<T>(
  work: () => T,
  { id = crypto.randomUUID(), origin = '' }: { id?: string | undefined; origin?: string } = {},
): T {
  return contexts.run({ id, origin }, work)
}

/** The id of this request. In an object that another part calls, each log line has its own id. */
export function currentRequestId(): string {
  return contexts.getStore()?.id ?? crypto.randomUUID()
}

/** The origin that the request asked (`https://hub.example`); empty where there is none. */
export function currentOrigin(): string {
  return contexts.getStore()?.origin ?? ''
}

/** The id that a client gave its request; a new one where that could not stand in a header. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}
