import type { VNode } from 'preact'
import type { Me } from '../contract/operators.ts'
import type { Answer, Api, ApiProblem } from './api.ts'

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
  section: Section | null
  status?: number
  body: VNode
  headers?: Readonly<Record<string, string>>
  /** Address of a server-sent event stream; the script reloads the page's parts on each event. */
  live?: string
  /** Seconds after which the script reloads the parts even without an event. */
  after?: number
}

/** Loads while the console identifies the visitor, and renders once it knows their role. */
export type Page = (visit: Visit) => Promise<(me: Me) => View>

/** The result of a change: the page to go to, or the reason why the hub refused. */
export type Outcome =
  | { is: 'done'; to: string; cookie?: string }
  | { is: 'refused'; problem: ApiProblem }
  /** The operator has not confirmed yet, so the console asks again with the same values. */
  | { is: 'unanswered' }

export type Section =
  | 'overview'
  | 'payments'
  | 'points-of-sale'
  | 'accounts'
  | 'reports'
  | 'audit'
  | 'settings'

export function done(to: string, cookie?: string): Outcome {
  return cookie === undefined ? { is: 'done', to } : { is: 'done', to, cookie }
}

/** Goes to `to`, whose query names a message to show, if the API made the change. */
export function doneAt<T>(answer: Answer<T>, to: string): Outcome {
  return answer.ok ? done(to) : { is: 'refused', problem: answer.problem }
}
