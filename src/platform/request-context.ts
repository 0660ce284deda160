import { AsyncLocalStorage } from 'node:async_hooks'

/** The id of the request, and its origin, which is empty in a queue or an alarm. */
type RequestContext = { id: string; origin: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs the work in the context of a request, or with a new id if there is none. */
export function inRequest<T>(work: () => T, context: { id?: string | undefined; origin?: string } = {}): T {
  const { id = crypto.randomUUID(), origin = '' } = context
  return contexts.run({ id, origin }, work)
}

/** Returns this request's id. Calls to an object have no context: there, each returns a new id. */
export function currentRequestId(): string {
  return contexts.getStore()?.id ?? crypto.randomUUID()
}

/** Returns the origin of the request (`https://hub.example`); empty if there is none. */
export function currentOrigin(): string {
  return contexts.getStore()?.origin ?? ''
}

/** Returns the id that a client gave its request, or a new one if that does not fit in a header. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}
