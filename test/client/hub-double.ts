import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { HubError } from '../../src/client/client.ts'
import { createHub } from '../../src/client/create-hub.ts'
import { type Pos, ORIGIN, order } from '../support/hub/hub.ts'

/** One request that the client sent. */
export type Sent = { method: string; path: string; headers: Headers; body: string }

/** A fault that replaces or follows the hub's handling; null lets the hub's answer through. */
export type Fault = (sent: Sent, reach: () => Promise<Response>) => Promise<Response | null> | Response | null

/** The real hub behind a network that can have faults. */
export function networked(pos: Pick<Pos, 'apiKey'>, settings: { timeout?: number } = {}) {
  const sent: Sent[] = []
  const network = {
    fault: null as Fault | null,
    sent,
    of: (path: string) => sent.filter((one) => one.path === path),
  }
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const one = {
      method: init.method ?? 'GET',
      path: pathname + search,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : '',
    }
    sent.push(one)
    const reach = () => exports.default.fetch(new Request(url, init))
    return (await network.fault?.(one, reach)) ?? reach()
  }
  return { network, hub: createHub({ baseUrl: `${ORIGIN}/`, apiKey: pos.apiKey, fetch, ...settings }) }
}

/** A fault for the first `count` matching requests. */
export function times(count: number, fits: (sent: Sent) => boolean, fault: Fault): Fault {
  let left = count
  return (sent, reach) => (fits(sent) && left-- > 0 ? fault(sent, reach) : null)
}

export function answered(status: number, body: object, headers: Record<string, string> = {}) {
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}

const { timestamp: _, ...rest } = order
/** An order without a time, which the client adds. */
export const timeless = rest

/** Returns the error of a call, which must be the client's own. */
export function failureOf(promise: Promise<unknown>): Promise<HubError> {
  return promise.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => (error instanceof HubError ? error : Promise.reject(error as Error)),
  )
}
