import type { Narrator } from './narrator.ts'

const DEADLINE = 20_000

export type Answer = { status: number; headers: Headers; text: string }
export type Exchange = (
  from: string,
  method: string,
  address: string,
  expected: number,
  options?: { bearer?: string; json?: object; form?: Record<string, string> },
) => Promise<Answer>

/** Sends requests to the hub and shows each with its answer. Another status than the expected one is an error. */
export function exchanger(hub: string, tell: Narrator): Exchange {
  return async (from, method, address, expected, { bearer, json, form } = {}) => {
    const url = new URL(address, hub)
    const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form) : undefined
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE),
      headers: {
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body } : {}),
    })
    const text = await response.text()
    if (response.status !== expected) {
      throw new Error(
        `${method} ${url} answered ${response.status} instead of ${expected}: ${text.slice(0, 500)}`,
      )
    }
    tell.exchange(from, method, url.href.startsWith(hub) ? url.pathname : url.href, response.status)
    return { status: response.status, headers: response.headers, text }
  }
}

/** The address that an answer redirects to. */
export function redirectOf({ headers }: Answer): string {
  const location = headers.get('location')
  if (location === null) throw new Error('the redirect names no location')
  return location
}

/** A `fetch` for the client, which shows each request with its answer. `onAnswer` gets what came in. */
export function shownFetch(hub: string, tell: Narrator, from: string, onAnswer: (answer: Answer) => void) {
  return async (address: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(address, init)
    const { status, headers } = response
    tell.exchange(from, init.method ?? 'GET', address.slice(new URL(hub).origin.length), status)
    if (status !== 304) onAnswer({ status, headers, text: await response.clone().text() })
    return response
  }
}
