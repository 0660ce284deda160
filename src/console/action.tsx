import type { VNode } from 'preact'
import type { Role } from '../contract/operation.ts'
import type { Me } from '../contract/operators.ts'
import type { Answer, ApiProblem } from './api.ts'
import { NotShown } from './parts.tsx'
import type { Outcome, Section, View, Visit } from './visit.ts'

/** Asks an operator to confirm a change. */
export type Question = {
  title: string
  /** The page to return to without a change. */
  back: string
  /** Says what the change does, and holds the form's fields. */
  body: VNode
  button: string
  /** True if nobody can undo the change. */
  isFinal?: boolean
}

/**
 * A change. `ask` makes the page that asks for confirmation; it gets `values` back if the hub
 * refused the form, or the operator has yet to confirm it. A POST to the same address makes the
 * change. The script shows the page as a dialog.
 */
export type Action = {
  role: Role
  section: Section
  ask: (visit: Visit, values: Values) => Promise<Answer<Question>>
  send: (visit: Visit, values: Values) => Promise<Outcome>
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

const ROLES: readonly Role[] = ['viewer', 'support', 'operator']

/** Hides what the API would refuse; the API itself decides. */
export function mayDo(me: Me, role: Role): boolean {
  return ROLES.indexOf(me.role) >= ROLES.indexOf(role)
}

export function askFirst(action: Action, visit: Visit, question: Answer<Question>, refused?: ApiProblem) {
  return (me: Me): View => {
    if (!question.ok) return unasked(action, question.problem)
    const { title, back, body, button, isFinal } = question.value
    const isAllowed = mayDo(me, action.role)
    return {
      title,
      section: action.section,
      status: refused?.status ?? (isAllowed ? 200 : 403),
      body: (
        <section class="confirm" data-confirm>
          <h1>{title}</h1>
          {refused && <Refused problem={refused} />}
          <form method="post" action={visit.url.pathname}>
            {body}
            {!isAllowed && (
              <p class="notice busy">
                This needs the role {action.role}. You have the role {me.role}.
              </p>
            )}
            <p class="buttons">
              {isAllowed && (
                <button type="submit" class={isFinal ? 'danger' : 'first'}>
                  {button}
                </button>
              )}
              <a class="button" href={back} data-close>
                Go back
              </a>
            </p>
          </form>
        </section>
      ),
    }
  }
}

function unasked({ section }: Action, problem: ApiProblem): View {
  return {
    title: 'Not found',
    section,
    status: problem.status,
    body: (
      <>
        <h1>This cannot be done</h1>
        <NotShown problem={problem} />
      </>
    ),
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
  role,
  href,
  kind = '',
  children,
}: {
  me: Me
  role: Role
  href: string
  kind?: 'first' | 'danger' | 'small' | ''
  children: string
}) {
  return mayDo(me, role) ? (
    <a class={`button ${kind}`} href={href} data-dialog>
      {children}
    </a>
  ) : null
}

/** Messages after a change. The address names one, so that no foreign link can bring a text. */
const MESSAGES: Readonly<Record<string, string>> = {
  pulled: 'The PSP was asked. What it said is below.',
  resent: 'The report is sent again. Its tries are below.',
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

export function messageOf(name: string | null): string | null {
  return name !== null && Object.hasOwn(MESSAGES, name) ? (MESSAGES[name] ?? null) : null
}
