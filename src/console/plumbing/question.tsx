import { type Operation, type Role, hasRole } from '../../contract/operation.ts'
import { type Name, OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { problemView } from '../parts/parts.tsx'
import { type Action, isFailure } from './action.tsx'
import type { ApiProblem } from './api.ts'
import type { Values } from './values.ts'
import { type View, type Visit, useVisit } from './visit.ts'

/** Makes the page that asks before a change. `refused` is why the hub refused the last try. */
export async function askFirst(
  asked: Action,
  visit: Visit,
  values: Values,
  refused?: ApiProblem,
): Promise<View> {
  const question = await asked.ask(visit, values)
  if (isFailure(question)) return problemView('This cannot be done', question.problem)
  const { title, body, button = title, isFinal = false, problem = refused } = question
  const { me } = visit
  const role = roleOf(asked.does)
  const isAllowed = hasRole(me, role)
  return {
    title,
    status: problem?.status ?? (isAllowed ? 200 : 403),
    body: (
      <section class="confirm" data-confirm>
        <h1>{title}</h1>
        {problem && <Refused problem={problem} />}
        <form method="post" action={visit.url.pathname}>
          {/* Enter presses the first button. A disabled one keeps it from making a final change. */}
          {isAllowed && isFinal && <button type="submit" disabled hidden />}
          {isAllowed && body}
          {!isAllowed && (
            <p class="notice busy">
              This needs the role {role}. You have the role {me.role}.
            </p>
          )}
          <p class="buttons">
            {isAllowed && (
              <button type="submit" class={isFinal ? 'danger' : 'first'}>
                {button}
              </button>
            )}
            <a class="button" href={asked.home(visit)} data-close autofocus={isFinal}>
              Go back
            </a>
          </p>
        </form>
      </section>
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

export function roleOf(does: Name): Role {
  return OPERATOR_OPERATIONS[does].role
}

type ActionLinkProps = {
  does: Name
  id?: string
  query?: string
  kind?: 'first' | 'danger' | 'small' | ''
  text: string
}

/** Links to a change, for operators who may make it. The script opens it as a dialog. */
export function ActionLink({ does, id, query = '', kind = '', text }: ActionLinkProps) {
  const { me, changeAddress } = useVisit()
  return hasRole(me, roleOf(does)) ? (
    <a class={`button ${kind}`} href={changeAddress(does, id) + query} data-dialog>
      {text}
    </a>
  ) : null
}

/**
 * Returns what the contract says of a change that was made. The address has only the name of the operation, so
 * that no foreign link can choose the text.
 */
export function messageOf(name: string | null): string | null {
  const row = Object.entries<Operation>(OPERATOR_OPERATIONS).find(([known]) => known === name)?.[1]
  return row?.method === 'POST' ? row.answer.description : null
}
