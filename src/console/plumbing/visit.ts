import { type VNode, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Role, hasRole } from '../../contract/operation.ts'
import type { Me } from '../../contract/operators.ts'
import type { Name } from '../../contract/operator-operations.ts'
import type { Api } from './api.ts'

/** A request for a page, before the API has identified the visitor. */
export type Stranger = {
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
  /** Returns the address of the page that asks about a change of `id`. */
  changeAddress: (does: Name, id?: string) => string
}

/** One request of an operator for a page of the console. */
export type Visit = Stranger & { me: Me }

/** The visit that a page is rendered for. */
export const Visiting = createContext<Visit | null>(null)

export function useVisit(): Visit {
  const visit = useContext(Visiting)
  if (visit === null) throw new Error('useVisit needs a Visiting.Provider around it')
  return visit
}

/** Returns true if the visitor has a role. */
export function useRole(needed: Role): boolean {
  return hasRole(useVisit().me, needed)
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

/** Loads a page for an operator, or redirects to another. */
export type ConsolePage = (visit: Visit) => Promise<View | Response>

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
