import type { VNode } from 'preact'
import { type AnyInput, type OutputOf, type Role, addressOf, hasRole } from '../contract/operation.ts'
import { OPERATOR_OPERATIONS, type OperatorOperations } from '../contract/operator-operations.ts'
import type { ApiAnswer, ApiProblem, ApiFailure } from './api.ts'
import { type Once, onceCookie } from './once.tsx'
import { problemView } from './parts.tsx'
import { type View, type Visit, seeOther, useVisit } from './visit.ts'

/** Asks an operator to confirm a change. */
export type Question = {
  title: string
  /** Says what the change does: a text is a paragraph. Holds the form's fields. */
  body: VNode | string
  /** The words of its button, if they are not the title. */
  button?: string
  /** True if the change is final: the focus then begins on "Go back". */
  isFinal?: boolean
  /** Why the form as filled in is refused. */
  problem?: ApiProblem | undefined
}

const PAYMENT = '/console/payments/:id'
const POS = '/console/points-of-sale/:id'
const ACCOUNTS = '/console/accounts'
const TERMINALS = '/console/accounts/:id/terminals'
const TOKENS = '/console/settings/tokens'

/** The operations that make changes, each with its page and its own address below that page. */
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
  changePointOfSale: [POS, 'change'],
  addApiKey: [POS, 'key'],
  revokeApiKeys: [POS, 'end-keys'],
  rotateSigningSecret: [POS, 'secret'],
  setRefundPin: [POS, 'refund-pin'],
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
  endOneSession: [TOKENS, 'sessions/:id/end'],
  closeMonth: ['/console/books', ':month/close'],
  reopenMonth: ['/console/books', ':month/reopen'],
} as const satisfies Partial<Record<keyof OperatorOperations, readonly [page: string, own: string]>>

export type Changing = keyof typeof ADDRESSES

function pathOf(does: Changing): `/${string}` {
  const [page, own] = ADDRESSES[does]
  return `${page}/${own}`
}

/**
 * Returns the address of the page that asks about a change of `id`. Without an id, that of a new account
 * lists the PSPs.
 */
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
  /** The page to go to after the change, instead of the change's own. */
  at?: (made: Made) => string
  /** The page that "Go back" leads to, instead of the change's own. */
  back?: string
  ask: Question | QuestionMaker
  /** True if the form leads to a second question, whose form says `sure`. */
  isAskedTwice?: true
  /** The operation's body, if it is more than the form's texts. The API validates it. */
  body?: (values: Values, visit: Visit) => Readonly<Record<string, unknown>>
  /** Makes the change, if that takes more than one call with the path's `params` and `body`. */
  send?: (visit: Visit, values: Values) => Promise<ApiAnswer<Made>>
  /** The part of the message's name that depends on the result. */
  outcome?: (made: Made) => string
  /** New secrets, which the next page shows once; null if there are none. */
  once?: (made: Made) => Once | null
}
type QuestionMaker = (visit: Visit, values: Values) => Question | ApiFailure | Promise<Question | ApiFailure>

export type Action = {
  does: Changing
  /** The pattern of its address. */
  path: string
  ask: QuestionMaker
  back: (visit: Visit) => string
  /**
   * Returns the redirect after the change, or why the hub refused it. Null while the operator has yet to
   * confirm.
   */
  make: (visit: Visit, values: Values) => Promise<ApiAnswer<Response> | null>
}

/** Makes an action that calls the API and then redirects with a message. */
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
    const shown = once?.(made.value)
    const cookie = shown ? await onceCookie(visit, to, shown) : undefined
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
) => Promise<ApiAnswer<OutputOf<OperatorOperations[Name]>>>

/** Returns the texts of a form, without empty ones. */
export function filledIn(values: Values): Record<string, string> {
  return Object.fromEntries(values.entries().filter(([name, text]) => name !== SURE && text !== ''))
}

export function roleOf(does: Changing): Role {
  return OPERATOR_OPERATIONS[does].role
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

/** The texts of a form, without spaces around them. */
export type Values = {
  get: (name: string) => string
  entries: () => readonly (readonly [name: string, value: string])[]
}

export const NOTHING_FILLED_IN: Values = { get: () => '', entries: () => [] }

export function valuesOf(form: URLSearchParams): Values {
  const entries = Array.from(form, ([name, text]) => [name, text.trim()] as const)
  return { get: (name) => form.get(name)?.trim() ?? '', entries: () => entries }
}

/** Makes the page that asks before a change. `refused` is why the hub refused the last try. */
export async function askFirst(
  asked: Action,
  visit: Visit,
  values: Values,
  refused?: ApiProblem,
): Promise<View> {
  const question = await asked.ask(visit, values)
  if ('ok' in question) return problemView('This cannot be done', question.problem)
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
          {!isAllowed ? null : typeof body === 'string' ? <p>{body}</p> : body}
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

type ActionLinkProps = {
  does: Changing
  id?: string
  query?: string
  kind?: 'first' | 'danger' | 'small' | ''
  text: string
}

/** Links to a change, for operators who may make it. The script opens it as a dialog. */
export function ActionLink({ does, id, query = '', kind = '', text }: ActionLinkProps) {
  return hasRole(useVisit().me, roleOf(does)) ? (
    <a class={`button ${kind}`} href={changeAddress(does, id) + query} data-dialog>
      {text}
    </a>
  ) : null
}

/**
 * Messages after a change, by operation. The address has only the name, so that no foreign link can
 * choose the text.
 */
const MESSAGES = {
  pullJob: 'The hub asked the PSP. The answer is below.',
  announceJob: 'The payment is announced: the customer can pay.',
  resendReport: 'The hub is sending the report. Its tries are below.',
  resendReportsOfShop: 'The hub is sending the reports again. They arrive as soon as the shop takes them.',
  resendUndeliveredReports:
    'The hub is sending the reports again. Each leaves this list once its shop has taken it.',
  cancelJob: 'The payment is cancelled.',
  clearMoney: 'The money counts as cleared. Your note is in the audit log.',
  captureJob: 'The hub asks the PSP for the capture. The outcome is below.',
  releaseJob: 'The hub asks the PSP to release the money. The outcome is below.',
  refundJob: 'The hub asks the PSP for the refund. The outcome is below.',
  createPointOfSale: 'The point of sale is created.',
  changePointOfSale: 'The point of sale is changed. The change takes effect everywhere within two minutes.',
  disablePointOfSale: 'The point of sale is disabled. Its keys and tokens stop working within two minutes.',
  enablePointOfSale: 'The point of sale is enabled.',
  addApiKey: 'A new API key is made. The older ones still work.',
  revokeApiKeys: 'All API keys except the newest have ended.',
  rotateSigningSecret: 'A new signing secret is made.',
  setRefundPin: 'The PIN for refunds is changed.',
  changePaymentRoute: 'The route is changed. The change takes effect everywhere within two minutes.',
  addAccount: 'The account is added.',
  replaceCredentials: 'The credentials are replaced. The new ones take effect everywhere within two minutes.',
  changeCurrencies: 'The currencies are changed. The change takes effect everywhere within two minutes.',
  removeAccount: 'The account is removed.',
  addTerminal: 'The terminal is added or renamed.',
  removeTerminal: 'The terminal is removed.',
  assignTerminal: 'The terminals are changed. The change takes effect everywhere within two minutes.',
  announceJobs: 'The hub has tried to announce the payments. It keeps trying those that still wait.',
  'checkAccount.working': 'The PSP took the credentials: the account works.',
  'checkAccount.refused': "The PSP refused the account's credentials. Enter new ones.",
  'checkAccount.unavailable': 'The PSP did not answer. Try again later.',
  closeMonth: 'The month is closed.',
  reopenMonth: 'The month is open again.',
  createOperatorToken: 'The token is made.',
  revokeOperatorToken: 'The token has ended.',
  endOneSession: 'The session has ended.',
  'signed-out': 'You have signed out.',
}

export function messageOf(name: string | null): string | null {
  return Object.entries(MESSAGES).find(([known]) => known === name)?.[1] ?? null
}
