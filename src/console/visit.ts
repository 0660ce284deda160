import type { VNode } from 'preact'
import type { Me } from '../contract/operators.ts'
import type { Api } from './api.ts'

/** One request for a page of the console. */
export type Visit = {
  request: Request
  url: URL
  /** Values of the named parts of the path, such as `id`. */
  params: Readonly<Record<string, string>>
  api: Api
  /** The operator's time zone and the present (ms), for writing times. */
  zone: string
  now: number
  /** SEALING_KEY, which protects secrets on their way to the page that shows them once. */
  sealingKey: string
}

export type View = {
  title: string
  status?: number
  body: VNode
  headers?: Readonly<Record<string, string>>
  /** Address of a server-sent event stream; the script reloads the page's parts on each event. */
  live?: string
  /** Seconds after which the script reloads the parts even without an event. */
  after?: number
}

/** Loads for a visitor who is known, and renders by their role; or leads to another page. */
export type Page = (visit: Visit) => Promise<((me: Me) => View) | Response>

export function seeOther(location: string, cookie?: string): Response {
  return new Response(null, {
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
  })
}
