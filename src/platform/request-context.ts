import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * What the work for one request knows of it: its id, and the origin that was asked, empty in a
 * queue or an alarm.
 */
type RequestContext = { id: string; origin: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Does the work for one request, or without one a piece of work that has an id of its own. */
export function inRequest<T>(
  work: () => T,
  { id = crypto.randomUUID(), origin = '' }: { id?: string | undefined; origin?: string } = {},
): T {
  return contexts.run({ id, origin }, work)
}

/**
 * The id of the request that is being served. An object that another part of the hub calls has none
 * of its own, unless it was told: its lines in the log have an id each.
 */
export function currentRequestId(): string {
  return contexts.getStore()?.id ?? crypto.randomUUID()
}

/**
 * The origin that the request asked (`https://hub.example`), or an empty text where there is none.
 */
export function currentOrigin(): string {
  return contexts.getStore()?.origin ?? ''
}

/**
 * The id that a client gave its request, or a new one: what cannot stand in a header and a line of
 * the log is not taken.
 */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}
