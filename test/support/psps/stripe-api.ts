import { createRefund, getRefund, listDisputes, listRefunds } from './stripe-money-back.ts'
import { API_VERSION, type Session, lapse, newSession, sessionJson } from './stripe-objects.ts'
import { actOnIntent } from './stripe-reserved.ts'
import { type Reader, createIntent, routeReaders, searchIntents } from './stripe-terminal.ts'
import { type Form, type Problem, readForm, refuseSession } from './stripe-parameters.ts'

/** `replayed`: an earlier request with the same idempotency key got this answer. */
export type Answer = { status: number; body: object; replayed?: boolean }
export type Account = {
  credentials: { secretKey: string; webhookSecret: string }
  /** Includes payment intents at terminals, by their own ids. */
  sessions: Map<string, Session>
  readers: Map<string, Reader>
  /** Answers by idempotency key, with the request that each belongs to. */
  answers: Map<string, { asked: string; answer: Answer }>
}

const SESSIONS = '/v1/checkout/sessions'

function refuse(status: number, problem: Problem): Answer {
  return {
    status,
    body: { error: { type: 'invalid_request_error', ...problem } },
  }
}

/** Answers a request as Stripe's API does: https://docs.stripe.com/api */
export async function answer(accounts: readonly Account[], request: Request): Promise<Answer> {
  const { pathname, search } = new URL(request.url)
  const [, key] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
  if (key === undefined) return refuse(401, { message: 'You did not provide an API key.' })
  const account = accounts.find(({ credentials }) => credentials.secretKey === key)
  if (!account)
    return refuse(401, { message: `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}` })
  for (const session of account.sessions.values()) lapse(session, Date.now())
  const version = request.headers.get('stripe-version') ?? API_VERSION
  if (version !== API_VERSION) return refuse(400, { message: `Invalid Stripe API version: ${version}` })
  const body = request.method === 'POST' ? new TextDecoder().decode(await request.arrayBuffer()) : ''
  const type = request.headers.get('content-type') ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    return refuse(400, { message: `Invalid content type: ${type}` })
  }
  const form = readForm(request.method === 'POST' ? body : search)
  if (!(form instanceof Map)) return refuse(400, form as Problem)
  const act = () => route(account, request.method, pathname, form)
  const idempotencyKey = request.method === 'POST' ? request.headers.get('idempotency-key') : null
  return idempotencyKey === null ? act() : once(account, idempotencyKey, `${pathname}\n${body}`, act)
}

/**
 * https://docs.stripe.com/api/idempotent_requests: Stripe keeps an answer unless it refused the parameters.
 */
function once({ answers }: Account, key: string, asked: string, act: () => Answer): Answer {
  if (key.length > 255) return refuse(400, { message: 'Idempotency keys must be at most 255 characters.' })
  const first = answers.get(key)
  if (first?.asked === asked) return { ...first.answer, replayed: true }
  if (first) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    return refuse(400, { type: 'idempotency_error', message })
  }
  const given = act()
  if (given.status < 400) answers.set(key, { asked, answer: structuredClone(given) })
  return given
}

function route(account: Account, method: string, path: string, form: Form): Answer {
  const [, id, action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? []
  if (path === SESSIONS && method === 'POST') return create(account, form)
  if (path === SESSIONS && method === 'GET') return list(account, form)
  if (id !== undefined && method === 'GET' && !action) return one(account, id, form)
  if (id !== undefined && method === 'POST' && action) return one(account, id, form, expire)
  const atReader = routeReaders(account, method, path, form)
  if (atReader) return atReader
  const moved = routeMoney(account, method, path, form)
  if (moved) return moved
  const message = `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return refuse(404, { message })
}

function routeMoney(account: Account, method: string, path: string, form: Form): Answer | null {
  const [, refund] = /^\/v1\/refunds\/([^/]+)$/.exec(path) ?? []
  const [, intent, act] = /^\/v1\/payment_intents\/([^/]+)(\/capture|\/cancel)?$/.exec(path) ?? []
  if (path === '/v1/refunds')
    return method === 'POST' ? createRefund(account, form) : listRefunds(account, form)
  if (path === '/v1/payment_intents/search' && method === 'GET') return searchIntents(account, form)
  if (path === '/v1/payment_intents' && method === 'POST') return createIntent(account, form)
  if (path === '/v1/disputes' && method === 'GET') return listDisputes(account, form)
  if (refund !== undefined && method === 'GET') return getRefund(account, refund)
  if (intent === undefined) return null
  if (act === undefined) return method === 'GET' ? actOnIntent(account, intent, 'retrieve', form) : null
  return method === 'POST'
    ? actOnIntent(account, intent, act === '/cancel' ? 'cancel' : 'capture', form)
    : null
}

function create(account: Account, form: Form): Answer {
  const problem = refuseSession(form) ?? refuseExpansion(form)
  if (problem) return refuse(400, problem)
  const session = newSession(form, Date.now())
  account.sessions.set(session.id, session)
  return { status: 200, body: sessionJson(session, expansions(form)) }
}

function list({ sessions }: Account, form: Form): Answer {
  const unknown = [...form.keys()].find((param) => !['limit', 'payment_intent'].includes(param))
  if (unknown !== undefined) return refuse(400, unknownParameter(unknown))
  const limit = Number(form.get('limit') ?? 10)
  if (!(limit >= 1 && limit <= 100)) return refuse(400, { param: 'limit', message: 'Invalid integer: limit' })
  const intent = form.get('payment_intent')
  const newest = [...sessions.values()]
    .filter(({ terminal }) => terminal === undefined)
    .filter((session) => intent === undefined || (session.intent === intent && session.money !== 'none'))
    .toReversed()
  const data = newest.slice(0, limit).map((session) => sessionJson(session))
  return { status: 200, body: { object: 'list', data, has_more: newest.length > limit, url: SESSIONS } }
}

function one(account: Account, id: string, form: Form, act?: (session: Session) => Problem | null): Answer {
  const unknown = [...form.keys()].find((param) => !/^expand\[\d*\]$/.test(param))
  if (unknown !== undefined) return refuse(400, unknownParameter(unknown))
  const session = account.sessions.get(decodeURIComponent(id))
  if (!session || session.terminal) {
    return refuse(404, {
      code: 'resource_missing',
      param: 'session',
      message: `No such checkout.session: ${id}`,
    })
  }
  const problem = refuseExpansion(form) ?? act?.(session)
  return problem ? refuse(400, problem) : { status: 200, body: sessionJson(session, expansions(form)) }
}

function expire(session: Session): Problem | null {
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`
    return { message }
  }
  session.status = 'expired'
  return null
}

function unknownParameter(param: string): Problem {
  return {
    code: 'parameter_unknown',
    param,
    message: `Received unknown parameter: ${param}`,
  }
}

function expansions(form: Form): string[] {
  return [...form].flatMap(([param, value]) => (param.startsWith('expand[') ? [value] : []))
}

const EXPANDABLE = new Set([
  'customer',
  'invoice',
  'line_items',
  'payment_intent',
  'payment_link',
  'setup_intent',
  'subscription',
])

function refuseExpansion(form: Form): Problem | null {
  const wrong = expansions(form).find((name) => !EXPANDABLE.has(name.split('.')[0] ?? ''))
  return wrong === undefined ? null : { message: `This property cannot be expanded (${wrong}).` }
}
