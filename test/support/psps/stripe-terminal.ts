import type { Account, Answer } from './stripe-api.ts'
import { missing, page, refused, sessionOf } from './stripe-money-back.ts'
import { type Session, idOf, intentJson, isManual, membersOf, reserve, totalOf } from './stripe-objects.ts'
import { type Form, type Problem, currency, integer, oneOf, text } from './stripe-parameters.ts'

/** Why a reader could not do something: https://docs.stripe.com/api/errors */
type ApiError = { type: string; code: string; decline_code?: string; message: string }

/** A reader's current or last action. The next one replaces it. */
type Action = {
  type: 'process_payment_intent' | 'set_reader_display'
  status: 'in_progress' | 'succeeded' | 'failed'
  intent: string | null
  failure_code: string | null
  failure_message: string | null
  api_error: ApiError | null
}

/**
 * A reader in this Stripe's memory. `isAuthorising`: the customer has presented a card. `timeouts`: the next
 * commands time out; each says whether it reached the reader.
 */
export type Reader = {
  id: string
  label: string
  device_type: string
  status: 'online' | 'offline'
  action: Action | null
  isAuthorising: boolean
  timeouts: ('reached' | 'lost')[]
}

export function newReader(changes: Partial<Reader> = {}): Reader {
  return {
    id: idOf('tmr_'),
    label: 'Counter 1',
    device_type: 'simulated_wisepos_e',
    status: 'online',
    action: null,
    isAuthorising: false,
    timeouts: [],
    ...changes,
  }
}

/** https://docs.stripe.com/api/terminal/readers/object */
export function readerJson({ id, label, device_type, status, action }: Reader) {
  return {
    id,
    object: 'terminal.reader',
    action: action && actionJson(action),
    device_sw_version: '2.44.1.0',
    device_type,
    ip_address: '192.168.2.2',
    label,
    last_seen_at: 1_795_252_500_123,
    livemode: true,
    location: 'tml_1',
    metadata: {},
    serial_number: `SN${id}`,
    status,
  }
}

function actionJson({ type, intent, ...action }: Action) {
  return { ...action, type, [type]: intent === null ? { cart: null } : { payment_intent: intent } }
}

const CREATE: Readonly<Record<string, ReturnType<typeof oneOf>>> = {
  amount: integer(1),
  currency,
  'allowed_payment_method_types[0]': oneOf('card card_present interac_present ideal'),
  capture_method: oneOf('automatic automatic_async manual'),
  description: text(1000),
}

/** https://docs.stripe.com/api/payment_intents/create */
export function createIntent(account: Account, form: Form): Answer {
  const problem = refuseIntent(form)
  if (problem) return refused(problem)
  const metadata = Object.entries(membersOf(form, 'metadata'))
  const session: Session = {
    id: idOf('pi_3'),
    intent: '',
    form: new Map([
      ['line_items[0][price_data][currency]', form.get('currency') ?? ''],
      ['line_items[0][price_data][unit_amount]', form.get('amount') ?? ''],
      ['line_items[0][quantity]', '1'],
      ['payment_intent_data[capture_method]', form.get('capture_method') ?? 'automatic_async'],
      ['allowed_payment_method_types[0]', form.get('allowed_payment_method_types[0]') ?? 'card'],
      ...metadata.map(([name, value]) => [`payment_intent_data[metadata][${name}]`, value] as const),
    ]),
    created: Math.floor(Date.now() / 1000),
    status: 'open',
    money: 'none',
    terminal: { tip: 0, error: null, card: '4242' },
    refunds: [],
    disputes: [],
  }
  session.intent = session.id
  account.sessions.set(session.id, session)
  return { status: 200, body: intentJson(session) }
}

function refuseIntent(form: Form): Problem | null {
  for (const [param, value] of form) {
    if (param.startsWith('payment_method_types'))
      return {
        code: 'payment_method_types_no_longer_supported',
        param: 'payment_method_types',
        message: 'payment_method_types is no longer supported.',
      }
    const rule = /^metadata\[[^\]]{1,40}\]$/.test(param) ? text(500) : CREATE[param]
    if (!rule) return { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` }
    const problem = rule(value, param)
    if (problem) return problem
  }
  const lacks = ['amount', 'currency'].find((param) => !form.has(param))
  return lacks === undefined
    ? null
    : { code: 'parameter_missing', param: lacks, message: `Missing required param: ${lacks}.` }
}

/** https://docs.stripe.com/api/payment_intents/search, limited to one member of the metadata. */
export function searchIntents({ sessions }: Account, form: Form): Answer {
  const [, name, value] = /^metadata\['([^']+)'\]:'([^']+)'$/.exec(form.get('query') ?? '') ?? []
  if (name === undefined)
    return refused({ param: 'query', message: 'We were unable to parse your search query.' })
  const data = [...sessions.values()]
    .filter(({ form: given }) => given.get(`payment_intent_data[metadata][${name}]`) === value)
    .map((session) => intentJson(session))
  const url = '/v1/payment_intents/search'
  return { status: 200, body: { object: 'search_result', data, has_more: false, next_page: null, url } }
}

const PARAMETERS: Readonly<Record<string, RegExp>> = {
  process_payment_intent: /^(payment_intent|process_config\[[a-z_]+\](\[amount_eligible\])?)$/,
  cancel_action: /^$/,
  set_reader_display: /^(type|cart\[.+)$/,
  present_payment_method: /^(amount_tip|type|card_present\[number\])$/,
}

/** Answers requests about readers; null for any other address. */
export function routeReaders(account: Account, method: string, path: string, form: Form): Answer | null {
  if (path === '/v1/terminal/readers' && method === 'GET') return listReaders(account, form)
  const [, helper, id, act] =
    /^\/v1\/(test_helpers\/)?terminal\/readers\/([^/]+)(?:\/([a-z_]+))?$/.exec(path) ?? []
  if (id === undefined) return null
  const reader = account.readers.get(id)
  if (!reader) return missing('terminal.reader', id)
  if (act === undefined) return method === 'GET' && !helper ? { status: 200, body: readerJson(reader) } : null
  const taken = PARAMETERS[act]
  if (method !== 'POST' || !taken || Boolean(helper) !== (act === 'present_payment_method')) return null
  const param = [...form.keys()].find((name) => !taken.test(name))
  if (param !== undefined)
    return refused({ code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
  const problem = ACTS[act]?.(account, reader, form) ?? null
  if (problem && 'status' in problem) return problem
  return problem ? refused(problem) : { status: 200, body: readerJson(reader) }
}

const ACTS: Readonly<
  Record<string, (account: Account, reader: Reader, form: Form) => Problem | Answer | null>
> = {
  process_payment_intent: process,
  cancel_action: cancel,
  set_reader_display: display,
  present_payment_method: present,
}

function listReaders({ readers }: Account, form: Form): Answer {
  const all = [...readers.values()]
  const status = form.get('status')
  return page(
    form,
    '/v1/terminal/readers',
    all.filter((one) => status === undefined || one.status === status).map(readerJson),
  )
}

/** https://docs.stripe.com/terminal/payments/collect-card-payment?terminal-sdk-platform=server-driven#reader-busy */
function refuseReader(reader: Reader): Problem | null {
  if (reader.status === 'offline')
    return {
      code: 'terminal_reader_offline',
      message: 'Reader is currently offline, please ensure the reader is powered on and connected.',
    }
  return reader.isAuthorising
    ? {
        code: 'terminal_reader_busy',
        message: 'Reader is currently busy processing another request.',
      }
    : null
}

/** "A reader that hasn't begun processing a payment can be replaced by a new payment request." */
function process(account: Account, reader: Reader, form: Form): Problem | Answer | null {
  const intent = form.get('payment_intent')
  const session = sessionOf(account, intent)
  if (!session || intent === undefined) return missing('payment_intent', intent)
  if (intentJson(session).status !== 'requires_payment_method')
    return {
      code: 'intent_invalid_state',
      message: `Payment intent status must be requires_payment_method, was ${intentJson(session).status}.`,
    }
  if (session.form.get('allowed_payment_method_types[0]') !== 'card_present')
    return { message: 'The PaymentIntent must allow card_present.' }
  const problem = refuseReader(reader)
  if (problem) return problem
  const timeout = reader.timeouts.shift()
  if (timeout !== 'lost') reader.action = newAction('process_payment_intent', intent)
  return timeout
    ? {
        code: 'terminal_reader_timeout',
        message: 'There was a timeout when sending this command to the reader.',
      }
    : null
}

function newAction(type: Action['type'], intent: string | null): Action {
  return {
    type,
    status: 'in_progress',
    intent,
    failure_code: null,
    failure_message: null,
    api_error: null,
  }
}

function cancel(_: Account, reader: Reader): Problem | null {
  const problem = refuseReader(reader)
  if (!problem) reader.action = null
  return problem
}

function display(_: Account, reader: Reader): Problem | null {
  const problem = refuseReader(reader)
  if (!problem) reader.action = newAction('set_reader_display', null)
  return problem
}

/** https://docs.stripe.com/terminal/references/testing#simulated-test-cards */
const DECLINES: Readonly<Record<string, [code: string, message: string]>> = {
  '4000000000000002': ['generic_decline', 'Your card was declined.'],
  '4000000000009995': ['insufficient_funds', 'Your card has insufficient funds.'],
}

/** A customer presents a card at a simulated reader, which accepts or declines it. */
export function present(account: Account, reader: Reader, form: Form): Problem | null {
  const { action } = reader
  const session = sessionOf(account, action?.intent ?? undefined)
  if (action?.status !== 'in_progress' || !session)
    return { message: 'The reader is not waiting for a payment method.' }
  const number = form.get('card_present[number]') ?? '4242424242424242'
  const declined = DECLINES[number]
  if (declined) decline(session, action, declined)
  else pay(session, action, Number(form.get('amount_tip') ?? 0), number.slice(-4))
  reader.isAuthorising = false
  return null
}

function pay(session: Session, action: Action, tip: number, card: string): void {
  if (session.money !== 'none' && session.money !== 'failed') return fail(action, 'intent_invalid_state')
  // The tip is part of the amount.
  const total = String(totalOf(session.form) + tip)
  const form = new Map([...session.form, ['line_items[0][price_data][unit_amount]', total]])
  Object.assign(session, { money: 'paid', form, terminal: { tip, error: null, card } })
  if (isManual(session)) reserve(session, false)
  action.status = 'succeeded'
}

function decline(session: Session, action: Action, [decline_code, message]: [string, string]): void {
  const error = { type: 'card_error', code: 'card_declined', decline_code, message }
  Object.assign(session, { money: 'failed', terminal: { tip: 0, error, card: '0002' } })
  fail(action, 'card_declined', message, error)
}

/** The reader fails to carry out a command. */
export function fail(
  action: Action,
  failure_code: string,
  failure_message = 'This action could not be completed due to an error on the card reader.',
  api_error: ApiError | null = null,
): void {
  Object.assign(action, { status: 'failed', failure_code, failure_message, api_error })
}
