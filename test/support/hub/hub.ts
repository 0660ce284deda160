import { env, exports } from 'cloudflare:workers'
import { documented } from '../openapi/documented.ts'

/** The hub's address for its users. */
export const ORIGIN = 'https://hub.shop-payments.com'

/** Sends a request to the hub. Throws if the OpenAPI document does not allow the answer. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
  if (!request.headers.has(ADDRESS)) request.headers.set(ADDRESS, anyAddress())
  return documented(request, await exports.default.fetch(request))
}

const ADDRESS = 'cf-connecting-ip'

/**
 * A random address. Otherwise the files that share a runtime would use up one another's quota of refused
 * requests.
 */
function anyAddress(): string {
  const [a, b] = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${a?.toString(16)}:${b?.toString(16)}::1`
}

export type Pos = { id: string; apiKey: string; signingSecret: string }

/** Creates a point of sale through the operator API. */
export async function makePos(
  options: { mode?: 'test' | 'live'; signReturn?: boolean; dialect?: 'v1' } = {},
): Promise<Pos> {
  const made = { name: 'Shop 1', ...options }
  return (await askWith(env.OPERATOR_TOKEN, 'POST', '/operator/v1/pos', made)).json()
}

/** Sends a request with a token or a key. Sends a text body as it is, any other as JSON. */
export function askWith(
  bearer: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Exchanges an API key for a token. */
export async function tokenFor({ apiKey }: Pos): Promise<string> {
  const response = await askWith(apiKey, 'GET', '/v1/guardian')
  const { token } = await response.json<{ token: string }>()
  return token
}

export const order = {
  timestamp: 1_790_000_000,
  currency: 'EUR',
  amount: '12.50',
  return_url: 'https://shop.nl/thanks?order=7',
  report_url: 'https://shop.nl/report',
  payment_method: 'ideal',
  order_id: '7',
  order_number: 'A-7',
  language: 'nl',
  ip_address: '203.0.113.7',
}

export function create(
  token: string,
  body: unknown = order,
  headers: Record<string, string> = {},
): Promise<Response> {
  return askWith(token, 'POST', '/v2/paymentjobs', body, headers)
}

export type JobJson = {
  paymentJob: string
  created: string
  lastUpdate: string
  amountDue: string
  amountPaid: string | number
  status: string
  payUrl: string
  error: string | null
  payments: {
    creationDate?: string
    status?: string
    amountDue?: string
    amountPaid?: string
    steps: {
      creationDate: string
      transactionId?: string
      action: string
      status: string
      amountDue: string
      amountPaid: string
    }[]
  }
  [field: string]: unknown
}

export async function createJob(token: string, changes: object = {}): Promise<JobJson> {
  return (await create(token, { ...order, ...changes })).json()
}

/** Returns the part of `payUrl` that replaces the job's id in customers' addresses. */
export function linkIn({ payUrl }: Pick<JobJson, 'payUrl'>): string {
  return new URL(payUrl).pathname.replace('/pay/', '')
}

export function read(token: string, id: string): Promise<Response> {
  return askWith(token, 'GET', `/v2/paymentjobs/${id}`)
}

export async function readJob(token: string, id: string): Promise<JobJson> {
  return (await read(token, id)).json()
}

/**
 * Takes a customer from `payUrl` through the sandbox's page to the final address, and returns that. Follows
 * pages that refresh as a browser does, but without the pauses.
 */
export async function payAs(payUrl: string, outcome: string): Promise<string> {
  const checkout = location(await send(payUrl))
  const chosen = await send(checkout, { method: 'POST', body: new URLSearchParams({ outcome }) })
  let response = await send(location(chosen))
  for (let again = await refreshOf(response); again !== null; again = await refreshOf(response)) {
    response = await send(again)
  }
  return location(response)
}

/** The address to which a page refreshes; null if it does not. */
export async function refreshOf(response: Response): Promise<string | null> {
  if (response.status !== 200) return null
  const [, url] = /http-equiv="refresh" content="\d+; url=([^"]+)"/.exec(await response.clone().text()) ?? []
  return url ?? null
}

/** Requests a page like the browser of a customer who gave up at the PSP. */
export function giveUp(path: string): Promise<Response> {
  return send(path, { headers: { 'sec-fetch-dest': 'document' } })
}

export function location(response: Response): string {
  const found = response.headers.get('location')
  if (found === null) throw new Error(`expected a redirect, got ${response.status}`)
  return found
}
