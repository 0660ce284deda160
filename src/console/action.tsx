import type { VNode } from 'preact'
import { type AnyInput, type OutputOf, type Role, addressOf, hasRole } from '../contract/operation.ts'
import { OPERATOR_OPERATIONS, type OperatorOperations } from '../contract/operator-operations.ts'
import type { Answer, ApiProblem, Failed } from './api.ts'
import { type Once, onceCookie } from './once.tsx'
import { problemView } from './parts.tsx'
import { type View, type Visit, seeOther, useVisit } from './visit.ts'

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

const PAYMENT = '/console/payments/:id'
const POS = '/console/points-of-sale/:id'
const ACCOUNTS = '/console/accounts'
const TERMINALS = '/console/accounts/:id/terminals'
const TOKENS = '/console/settings/tokens'

/** The operations that make changes: each with its page, and its own address below that page. */
const ADDRESSES = {
  announceJob: [PAYMENT, 'announce'],
  pullJob: [PAYMENT, 'pull'],
  resendReport: [PAYMENT, 'resend'],
  cancelJob: [PAYMENT, 'cancel'],
  captureJob: [PAYMENT, 'capture'],
  releaseJob: [PAYMENT, 'release'],
  refundJob: [PAYMENT, 'refund'],
  clearMoney: [PAYMENT, 'clear-money'],
  createPointOfSale: ['/console/points-of-sale', 'new'],
  changePointOfSale: [POS, 'rename'],
  addApiKey: [POS, 'key'],
  revokeApiKeys: [POS, 'end-keys'],
  rotateSigningSecret: [POS, 'secret'],
  disablePointOfSale: [POS, 'disable'],
  enablePointOfSale: [POS, 'enable'],
  changePaymentRoute: [POS, 'route'],
  resendReportsOfShop: [POS, 'resend'],
  addAccount: [ACCOUNTS, 'new/:psp'],
  checkAccount: [ACCOUNTS, ':id/check'],
  announceJobs: [ACCOUNTS, ':id/announce'],
  replaceCredentials: [ACCOUNTS, ':id/credentials'],
  changeCurrencies: [ACCOUNTS, ':id/currencies'],
  removeAccount: [ACCOUNTS, ':id/remove'],
  addTerminal: [TERMINALS, 'add'],
  removeTerminal: [TERMINALS, 'remove'],
  assignTerminal: [POS, 'terminal'],
  resendUndeliveredReports: ['/console/reports', 'resend'],
  createOperatorToken: [TOKENS, 'new'],
  revokeOperatorToken: [TOKENS, ':id/revoke'],
  closeMonth: ['/console/books', ':month/close'],
  reopenMonth: ['/console/books', ':month/reopen'],
} as const satisfies Partial<Record<keyof OperatorOperations, readonly [page: string, own: string]>>

export type Changing = keyof typeof ADDRESSES

function pathOf(does: Changing): `/${string}` {
  const [page, own] = ADDRESSES[does]
  return `${page}/${own}`
}

/** The address of the page that asks about a change of `id`; a new account has no PSP yet. */
export function changeAddress(does: Changing, id = ''): string {
  const path = pathOf(does)
  const [, name = ''] = /:(\w+)/.exec(path) ?? []
  return addressOf({ path }, { params: { [name]: id } }).replace(/\/$/, '')
}

/**
 * A change by the operation `does`. `ask` makes the page that asks for confirmation; it gets
 * `values` back if the hub refused the form, or the operator has yet to confirm it. A POST to the
 * same address makes the change, and redirects to its page with a message. The script shows the
 * page as a dialog.
 */
type Change<Name extends Changing, Made = OutputOf<OperatorOperations[Name]>> = {
  does: Name
  /** The pages to go to after the change, and without it, in place of the change's own. */
  at?: (made: Made) => string
  back?: string
  ask: Question | Ask
  /** True if the form leads to a second question, whose form says `sure`. */
  isAskedTwice?: true
  /** The operation's body, where it is more than the form's texts. The API validates it. */
  body?: (values: Values, visit: Visit) => Readonly<Record<string, unknown>>
  /** Makes the change, where that is more than one call with the path's `params` and `body`. */
  send?: (visit: Visit, values: Values) => Promise<Answer<Made>>
  /** The part of the message's name that depends on the result. */
  outcome?: (made: Made) => string
  /** New secrets, which the page shows this once. */
  once?: (made: Made) => Once
}
type Ask = (visit: Visit, values: Values) => Question | Failed | Promise<Question | Failed>

export type Action = {
  does: Changing
  /** The pattern of its address. */
  path: string
  ask: Ask
  back: (visit: Visit) => string
  /** Returns the redirect after the change, the reason why the hub refused it, or null. */
  make: (visit: Visit, values: Values) => Promise<Answer<Response> | null>
}

/** Makes an action of a change: one call of the API, and then a redirect with a message. */
export function action<Name extends Changing>(change: Change<Name>): Action {
  const { does, at, back, ask, isAskedTwice, body = filledIn, outcome, once } = change
  const call = ({ api, params }: Visit, input: AnyInput) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an action's address has the parameters of its operation
    (api as unknown as AnyApi<Name>)(does, { params, ...input })
  const { send = null } = change
  const home = ({ params }: Visit) => addressOf({ path: ADDRESSES[does][0] }, { params })
  const make: Action['make'] = async (visit, values) => {
    if (isAskedTwice && values.get(SURE) === '') return null
    const input = 'body' in OPERATOR_OPERATIONS[does] ? { body: body(values, visit) } : {}
    const made = await (send ? send(visit, values) : call(visit, input))
    if (!made.ok) return made
    const to = at ? at(made.value) : home(visit)
    const cookie = once && (await onceCookie(visit, to, once(made.value)))
    const name = outcome ? `${does}.${outcome(made.value)}` : does
    return { ok: true, value: seeOther(`${to}${to.includes('?') ? '&' : '?'}done=${name}`, cookie) }
  }
  return {
    does,
    path: pathOf(does),
    ask: typeof ask === 'function' ? ask : () => ask,
    back: (visit) => back ?? home(visit),
    make,
  }
}

type AnyApi<Name extends Changing> = (
  name: Name,
  input: AnyInput,
) => Promise<Answer<OutputOf<OperatorOperations[Name]>>>

/** The texts of a form, without those that were left empty. */
function filledIn(values: Values): Record<string, string> {
  const texts = values.entries().map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(texts.filter(([name, text]) => name !== SURE && text !== ''))
}

export function roleOf(does: Changing): Role {
  return OPERATOR_OPERATIONS[does].role
}

/** Tells the form of the last question from the forms before it. */
export function Sure() {
  return <input type="hidden" name={SURE} value="yes" />
}
const SURE = 'sure'

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
export async function askFirst(
  asked: Action,
  visit: Visit,
  values: Values,
  refused?: ApiProblem,
): Promise<View> {
  const question = await asked.ask(visit, values)
  if ('ok' in question) return problemView('This cannot be done', question.problem)
  const { title, body, button, isFinal = false, problem = refused } = question
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
          {/* Enter presses the first button. A disabled one keeps Enter from what nobody can undo. */}
          {isAllowed && isFinal && <button type="submit" disabled hidden />}
          {body}
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
            <a class="button" href={asked.back(visit)} data-close autofocus={isFinal}>
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

/** Links to a change, for operators who may make it. The script opens it as a dialog. */
export function ActionLink({
  does,
  id,
  query = '',
  kind = '',
  text,
}: {
  does: Changing
  id?: string
  query?: string
  kind?: 'first' | 'danger' | 'small' | ''
  text: string
}) {
  return hasRole(useVisit().me, roleOf(does)) ? (
    <a class={`button ${kind}`} href={changeAddress(does, id) + query} data-dialog>
      {text}
    </a>
  ) : null
}

/**
 * Messages after a change, by its operation. The address names one, so that no foreign link can
 * bring a text.
 */
const MESSAGES = {
  pullJob: 'The PSP was asked. What it said is below.',
  announceJob: 'The payment is announced: the customer can pay.',
  resendReport: 'The report is sent. Its tries are below.',
  resendReportsOfShop: 'The reports are sent again. They are delivered as soon as the shop takes them.',
  resendUndeliveredReports:
    'The reports are sent again. They leave this list once their shops have taken them.',
  cancelJob: 'The payment is cancelled.',
  clearMoney: 'The money counts as cleared. The audit log has your note.',
  captureJob: 'The capture is asked for. What became of it is below.',
  releaseJob: 'The PSP is asked to release the money. How the payment stands is below.',
  refundJob: 'The refund is asked for. What became of it is below.',
  createPointOfSale: 'The point of sale is created.',
  changePointOfSale: 'The point of sale is changed. It is so everywhere within two minutes.',
  disablePointOfSale: 'The point of sale is disabled. Its keys and tokens end within two minutes.',
  enablePointOfSale: 'The point of sale is enabled.',
  addApiKey: 'A new API key is made. The older ones still work.',
  revokeApiKeys: 'All API keys but the newest have ended.',
  rotateSigningSecret: 'A new signing secret is made.',
  changePaymentRoute: 'The route is changed. It is so everywhere within two minutes.',
  addAccount: 'The account is added.',
  replaceCredentials: 'The credentials are replaced. They are so everywhere within two minutes.',
  changeCurrencies: 'The currencies are changed. It is so everywhere within two minutes.',
  removeAccount: 'The account is removed.',
  addTerminal: 'The terminal is added, or has its new name.',
  removeTerminal: 'The terminal is removed.',
  assignTerminal: 'The terminals are changed. It is so everywhere within two minutes.',
  announceJobs: 'The payments were offered. The hub goes on trying those that still wait.',
  'checkAccount.working': 'The PSP took the credentials: the account works.',
  'checkAccount.refused': 'The PSP refused the credentials of the account. Give it new ones.',
  'checkAccount.unavailable': 'The PSP did not answer. Try again later.',
  closeMonth: 'The month is closed.',
  reopenMonth: 'The month is open again.',
  createOperatorToken: 'The token is made.',
  revokeOperatorToken: 'The token has ended.',
  'signed-out': 'You have signed out.',
}

export function messageOf(name: string | null): string | null {
  return Object.entries(MESSAGES).find(([known]) => known === name)?.[1] ?? null
}
