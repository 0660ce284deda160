import type { VNode } from 'preact'
import { type AnyInput, type Operation, addressOf } from '../../contract/operation.ts'
import { type AnswerOf, type Name, OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { Members, type Shown, Words, bodyOf } from '../parts/members.tsx'
import { type AnyApi, type ApiAnswer, type ApiFailure, type ApiProblem, pageByPage } from './api.ts'
import { type Once, onceCookie } from './once.tsx'
import type { Values } from './values.ts'
import { type Visit, seeOther } from './visit.ts'

/** Asks an operator to confirm a change. */
export type Question = {
  title: string
  /** Says what the change does, and holds the form's fields. */
  body: VNode
  /** The words of its button, if they are not the title. */
  button?: string
  /** True if the change is final: the focus then begins on "Go back". */
  isFinal?: boolean | undefined
  /** Why the form as filled in is refused. */
  problem?: ApiProblem | undefined
}

type Asked<T> = T | ApiFailure | Promise<T | ApiFailure>

/**
 * A change by the operation `does`. `ask` makes the page that asks for confirmation; it gets `values` back if
 * the hub refused the form, or the operator has yet to confirm it. A POST to the same address makes the change,
 * and redirects to its page with a message. The script shows the page as a dialog.
 */
export type Action = {
  does: Name
  /** The pattern of its address. */
  path: string
  ask: (visit: Visit, values: Values) => Asked<Question>
  /** Returns the address of its page. */
  home: (visit: Visit) => string
  /**
   * Returns the redirect after the change, or why the hub refused it. Null while the operator has yet to
   * confirm.
   */
  make: (visit: Visit, values: Values) => Promise<ApiAnswer<Response> | null>
}

/** How a change differs from what the contract says of its operation. */
type Own<Made> = {
  /** Replaces the contract's question: for what moves money. */
  ask?: Action['ask']
  /** True if the form leads to a second question, whose form says `sure`. */
  isAskedTwice?: true
  /** How the fields of the form differ from the members of the operation's body. */
  fields?: (visit: Visit, values: Values) => Asked<Shown>
  /** The members of the body that the form's fields do not say as they are. The API validates them. */
  body?: (values: Values) => Readonly<Record<string, unknown>>
  /** The query of a change that the API makes a page at a time; `next` is from the page before. */
  query?: (visit: Visit, next?: string) => AnyInput['query']
  /** The page to go to after the change, instead of the change's own. */
  at?: (made: Made) => string
  /** New secrets, which the next page shows once; null if there are none. */
  once?: (made: Made) => Once | null
}

/** Shows what a change is about, such as a payment. */
type Subject = (visit: Visit) => Asked<VNode | null>

/** Makes the actions of a page, by operation. */
export function changes(
  page: string,
  table: { readonly [Of in Name]?: Own<AnswerOf<Of>> },
  subject: Subject = ({ params: { id, month = id } }) => (month === undefined ? null : <b>{month}</b>),
): Action[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each row has the type of its operation's answer
  const rows = Object.entries(table) as unknown as [Name, Own<unknown>][]
  return rows.map(([does, own]) => actionOf(page, does, own, subject))
}

function actionOf(page: string, does: Name, own: Own<unknown>, subject: Subject): Action {
  const row: Operation = OPERATOR_OPERATIONS[does]
  const { ask = asking(row, subject, own.fields), isAskedTwice, body, query, at, once } = own
  const [param] = /:\w+/.exec(row.path) ?? []
  const home: Action['home'] = ({ params }) => addressOf({ path: page }, { params })
  const call = ({ api, params }: Visit, values: Values, asked?: AnyInput['query']) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address and the form have the operation's input
    (api as unknown as AnyApi)(does, {
      params: { ...Object.fromEntries(values.entries()), ...params },
      query: asked,
      body: row.body && { ...bodyOf(row, values), ...body?.(values) },
    })
  const make: Action['make'] = async (visit, values) => {
    if (isAskedTwice && values.get(SURE) === '') return null
    const made = await (query
      ? pageByPage((next) => call(visit, values, query(visit, next)))
      : call(visit, values))
    if (!made.ok) return made
    const to = at ? at(made.value) : home(visit)
    const shown = once?.(made.value)
    const cookie = shown ? await onceCookie(visit, to, shown) : undefined
    return { ok: true, value: seeOther(`${to}${to.includes('?') ? '&' : '?'}done=${does}`, cookie) }
  }
  const path = [page, param !== undefined && !page.includes(param) && param, does].filter(Boolean).join('/')
  return { does, path, ask, home, make }
}

/** Asks in the words of the contract. */
function asking(row: Operation, subject: Subject, fields: Own<never>['fields']): Action['ask'] {
  return async (visit, values) => {
    const [about, shown] = await Promise.all([subject(visit), fields?.(visit, values) ?? {}])
    if (about && isFailure(about)) return about
    if (isFailure(shown)) return shown
    return {
      title: row.summary,
      isFinal: row.isFinal,
      body: (
        <>
          {about && <p>{about}</p>}
          {row.description && (
            <p>
              <Words>{row.description}</Words>
            </p>
          )}
          <Members row={row} values={values} shown={shown} />
        </>
      ),
    }
  }
}

export function isFailure(asked: object): asked is ApiFailure {
  return 'problem' in asked && 'ok' in asked
}

/** Marks the form of the second question. */
export function Sure() {
  return <input type="hidden" name={SURE} value="yes" />
}
const SURE = 'sure'

/** Returns the `id` in the address: of a payment, a point of sale, an account, a token or a payout. */
export function idOf({ params }: Visit): string {
  return params['id'] ?? ''
}
