import type { VNode } from 'preact'
import { type AnyInput, type OutputOf, type Role, hasRole } from '../contract/operation.ts'
import { OPERATOR_OPERATIONS, type OperatorOperations } from '../contract/operator-operations.ts'
import type { Me } from '../contract/operators.ts'
import type { Answer, ApiProblem, Failed } from './api.ts'
import { type Once, onceCookie } from './once.tsx'
import { problemView } from './parts.tsx'
import { type View, type Visit, seeOther } from './visit.ts'

/** Asks an operator to confirm a change. */
export type Question = {
  title: string
  /** Says what the change does, and holds the form's fields. */
  body: VNode
  button: string
  /** True if nobody can undo the change: the dialog then begins on "Go back". */
  isFinal?: boolean
  /** Why the form cannot be taken as it is filled in. */
  problem?: ApiProblem | undefined
}

/** The names of the operations that change something. */
export type Changing = {
  [Name in keyof OperatorOperations]: OperatorOperations[Name] extends { audit: object } ? Name : never
}[keyof OperatorOperations]

/**
 * A change, which the operation `does`. `ask` makes the page that asks for confirmation; it gets
 * `values` back if the hub refused the form, or the operator has yet to confirm it. A POST to the
 * same address makes the change, and redirects to the page `at` with `message`. The script shows
 * the page as a dialog.
 */
type Change<Name extends Changing, Made = OutputOf<OperatorOperations[Name]>> = {
  does: Name
  /** The page to go to after the change. */
  at: (visit: Visit, made?: Made) => string
  /** The page to return to without a change, if it is another. */
  back?: (visit: Visit) => string
  ask: Question | Ask
  /** True if the form leads to a second question, whose form says `sure`. */
  isAskedTwice?: true
  /** The operation's body. The API validates it. */
  body?: (values: Values, visit: Visit) => Readonly<Record<string, unknown>>
  /** Makes the change, where that is more than one call with the path's `params` and `body`. */
  send?: (visit: Visit) => Promise<Answer<Made>>
  message: MessageName | ((made: Made) => MessageName)
  /** New secrets, which the page shows this once. */
  once?: (made: Made) => Once
}
type Ask = (visit: Visit, values: Values) => Question | Failed | Promise<Question | Failed>

export type Action = {
  role: Role
  ask: Ask
  back: (visit: Visit) => string
  /** Returns the redirect after the change, the reason why the hub refused it, or null. */
  make: (visit: Visit, values: Values) => Promise<Answer<Response> | null>
}

/** Makes an action of a change: one call of the API, and then a redirect with a message. */
export function action<Name extends Changing>(change: Change<Name>): Action {
  const { does, at, back = at, ask, isAskedTwice, body, message, once } = change
  const call = ({ api, params }: Visit, input: AnyInput) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an action's address has the parameters of its operation
    (api as unknown as AnyApi<Name>)(does, { params, ...input })
  const { send = null } = change
  const make: Action['make'] = async (visit, values) => {
    if (isAskedTwice && values.get('sure') === '') return null
    const made = await (send ? send(visit) : call(visit, body ? { body: body(values, visit) } : {}))
    if (!made.ok) return made
    const to = at(visit, made.value)
    const cookie = once && (await onceCookie(visit, to, once(made.value)))
    const name = typeof message === 'string' ? message : message(made.value)
    return { ok: true, value: seeOther(`${to}?done=${name}`, cookie) }
  }
  return {
    role: roleOf(does),
    ask: typeof ask === 'function' ? ask : () => ask,
    back: (visit) => back(visit),
    make,
  }
}

type AnyApi<Name extends Changing> = (
  name: Name,
  input: AnyInput,
) => Promise<Answer<OutputOf<OperatorOperations[Name]>>>

export function roleOf(does: Changing): Role {
  return OPERATOR_OPERATIONS[does].role
}

/** Tells the form of the last question from the forms before it. */
export function Sure() {
  return <input type="hidden" name="sure" value="yes" />
}

/** The part `id` of the address: of the payment, the point of sale, the account, or the token. */
export function idOf({ params }: Visit): string {
  return params['id'] ?? ''
}

/** The texts of a form. */
export type Values = {
  get: (name: string) => string
  entries: () => readonly (readonly [name: string, value: string])[]
}

export const NOTHING_FILLED_IN: Values = { get: () => '', entries: () => [] }

export function valuesOf(form: URLSearchParams): Values {
  return { get: (name) => form.get(name)?.trim() ?? '', entries: () => [...form.entries()] }
}

/** The page that asks before a change; `refused` is why the hub refused the last try. */
export async function askFirst(asked: Action, visit: Visit, values: Values, refused?: ApiProblem) {
  const question = await asked.ask(visit, values)
  return (me: Me): View => {
    if ('ok' in question) return problemView('This cannot be done', question.problem)
    const { title, body, button, isFinal = false, problem = refused } = question
    const isAllowed = hasRole(me, asked.role)
    return {
      title,
      status: problem?.status ?? (isAllowed ? 200 : 403),
      body: (
        <section class="confirm" data-confirm>
          <h1>{title}</h1>
          {problem && <Refused problem={problem} />}
          <form method="post" action={visit.url.pathname}>
            {/* Enter in a field presses the first button, and does nothing as that is disabled. */}
            {isAllowed && <button type="submit" disabled hidden />}
            {body}
            {!isAllowed && (
              <p class="notice busy">
                This needs the role {asked.role}. You have the role {me.role}.
              </p>
            )}
            <p class="buttons">
              {isAllowed && (
                <button type="submit" class={isFinal ? 'danger' : 'first'}>
                  {button}
                </button>
              )}
              <a class="button" href={asked.back(visit)} data-close autofocus={isFinal}>
                Go back
              </a>
            </p>
          </form>
        </section>
      ),
    }
  }
}

function Refused({ problem }: { problem: ApiProblem }) {
  return (
    <div class="notice bad" role="alert">
      {problem.errors && problem.errors.length > 0 ? (
        problem.errors.map(({ field, error }) => (
          <p key={field}>
            <b>{field}</b> {error}
          </p>
        ))
      ) : (
        <p>{problem.detail}</p>
      )}
    </div>
  )
}

/** Links to a change, for operators who may make it. The script opens it as a dialog. */
export function ActionLink({
  me,
  does,
  href,
  kind = '',
  children,
}: {
  me: Me
  does: Changing
  href: string
  kind?: 'first' | 'danger' | 'small' | ''
  children: string
}) {
  return hasRole(me, roleOf(does)) ? (
    <a class={`button ${kind}`} href={href} data-dialog>
      {children}
    </a>
  ) : null
}

/** Messages after a change. The address names one, so that no foreign link can bring a text. */
const MESSAGES = {
  pulled: 'The PSP was asked. What it said is below.',
  resent: 'The report is sent again. Its tries are below.',
  'resent-shop': 'The reports are sent again. They are delivered as soon as the shop takes them.',
  'resent-all': 'The reports are sent again. They leave this list once their shops have taken them.',
  cancelled: 'The payment is cancelled.',
  refunded: 'The refund is asked for. What became of it is below.',
  'pos-created': 'The point of sale is created.',
  'pos-changed': 'The point of sale is changed. It is so everywhere within two minutes.',
  'pos-disabled': 'The point of sale is disabled. Its keys and tokens end within two minutes.',
  'pos-enabled': 'The point of sale is enabled.',
  'key-added': 'A new API key is made. The older ones still work.',
  'keys-revoked': 'All API keys but the newest have ended.',
  'secret-rotated': 'A new signing secret is made.',
  'route-changed': 'The route is changed. It is so everywhere within two minutes.',
  'account-added': 'The account is added.',
  'account-rekeyed': 'The credentials are replaced. They are so everywhere within two minutes.',
  'account-removed': 'The account is removed.',
  'account-working': 'The PSP took the credentials: the account works.',
  'account-refused': 'The PSP refused the credentials of the account. Give it new ones.',
  'account-unavailable': 'The PSP did not answer. Try again later.',
  'token-created': 'The token is made.',
  'token-revoked': 'The token has ended.',
  'signed-out': 'You have signed out.',
}

type MessageName = keyof typeof MESSAGES

export function messageOf(name: string | null): string | null {
  return Object.entries(MESSAGES).find(([known]) => known === name)?.[1] ?? null
}
