import type { VNode } from 'preact'
import type { Me } from '../contract/operators.ts'
import type { Role } from '../contract/operator.ts'
import type { Answer, ApiProblem } from './api.ts'
import { NotShown } from './parts.tsx'
import type { Outcome, Section, View, Visit } from './visit.ts'

/** What an operator is asked before a change is made. */
export type Question = {
  title: string
  /** Where they go who leave it as it is. */
  back: string
  /** What will happen, and what has to be filled in. */
  body: VNode
  button: string
  /** Whether it cannot be undone. */
  isFinal?: boolean
}

/**
 * A change. Its page asks first: `ask` says what; `values` are those of the form where it was refused, or has still to be said yes to. A
 * POST to the same address makes the change. The script shows that page in a dialog; without script it is a page like others.
 */
export type Action = {
  role: Role
  section: Section
  ask: (visit: Visit, values: Values) => Promise<Answer<Question>>
  send: (visit: Visit, values: Values) => Promise<Outcome>
}

/** Texts of a form. */
export type Values = {
  get: (name: string) => string
  entries: () => readonly (readonly [name: string, value: string])[]
}

export const NOTHING_FILLED_IN: Values = { get: () => '', entries: () => [] }

export function valuesOf(given: FormData | URLSearchParams): Values {
  const texts = [...given.entries()].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { get: (name) => texts.find(([key]) => key === name)?.[1].trim() ?? '', entries: () => texts }
}

const ROLES: readonly Role[] = ['viewer', 'support', 'operator']

/** Whether somebody may. The API decides it: this only keeps from sight what it would refuse. */
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

/** A link to a change, which the script opens as a dialog. Only they see it who may make the change. */
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

/** What is said on the page that a change leads to. The address has the name of one of these, and no text of its own. */
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
