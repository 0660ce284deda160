import type { VNode } from 'preact'
import type { Me } from '../contract/operators.ts'
import type { Answer, Api, ApiProblem } from './api.ts'

/** One request for a page of the console: what is asked, by whom, and where in the world they are. */
export type Visit = {
  request: Request
  url: URL
  /** The parts of the path that the page's pattern names. */
  params: Readonly<Record<string, string>>
  api: Api
  /** The operator's zone, and now (ms): what times are written for. */
  zone: string
  now: number
  /** SEALING_KEY: what is shown once is sealed on its way to its page. */
  sealingKey: string
}

/** A page that is ready to be shown. */
export type View = {
  title: string
  section: Section | null
  status?: number
  body: VNode
  headers?: Readonly<Record<string, string>>
  /** For the script: the server-sent events after which the page's parts are fetched anew. */
  live?: string
  /** For the script: after how many seconds they are fetched anew without an event. */
  after?: number
}

/** What a page is made of is read while it is found out who asks: what they may do is known only when it is rendered. */
export type Page = (visit: Visit) => Promise<(me: Me) => View>

/** What became of a change: where to go on, or why it was not made. */
export type Outcome =
  | { is: 'done'; to: string; cookie?: string }
  | { is: 'refused'; problem: ApiProblem }
  /** Nobody has said yes: the question is shown, with what was filled in. */
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

/** Goes on where a change of the API was made. `to` names the message that is shown there. */
export function doneAt<T>(answer: Answer<T>, to: string): Outcome {
  return answer.ok ? done(to) : { is: 'refused', problem: answer.problem }
}
