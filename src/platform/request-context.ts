import { AsyncLocalStorage } from 'node:async_hooks'

/** The id of the request, and its origin, which is empty in a queue or an alarm. */
type RequestContext = { id: string; origin: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs the work in the context of a request; without one it gets an id of its own. */
export function inRequest<T>(
  work: () => T,
  { id = crypto.randomUUID(), origin = '' }: { id?: string | undefined; origin?: string } = {},
): T {
  return contexts.run({ id, origin }, work)
}

/** Returns this request's id. In an object that another part calls, each call makes a new id. */
export function currentRequestId(): string {
  return contexts.getStore()?.id ?? crypto.randomUUID()
}

/** Returns the origin of the request (`https://hub.example`); empty where there is none. */
export function currentOrigin(): string {
  return contexts.getStore()?.origin ?? ''
}

/** Returns the id that a client gave its request, or a new one where a header could not have it. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}
