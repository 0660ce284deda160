export type RunningHub = { url: string; secrets: Record<string, string | undefined> }

export type Trace = { creationDate: string; action: string; status: string }[]
export type JobJson = {
  paymentJob: string
  payUrl: string
  orderNumber: string
  status: string
  amountPaid: string | number
  payments: { steps: Trace }
}
type Reports = { revision: number; state: string; attempts: { at: string; outcome: string }[] }[]

export class Refused extends Error {}

/** Sends a GET, or a POST with `body`, to a hub. Throws `Refused` if it fails. */
export async function ask<T>(
  url: string,
  bearer: string | undefined,
  body?: object,
  key?: string,
): Promise<T> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(20_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Refused(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

/** Sends a request as the hub's operator. */
export function operate<T>({ url, secrets }: RunningHub, path: string, body?: object): Promise<T> {
  return ask(`${url}/operator/v1${path}`, secrets['OPERATOR_TOKEN'], body)
}

/** An order of EUR 12.50. The customer returns to `shop`, which also gets the reports. */
export function orderOf(shop: string, number = 7) {
  return {
    timestamp: 1_790_000_000,
    currency: 'EUR',
    amount: '12.50',
    return_url: `${shop}/thanks`,
    report_url: `${shop}/report`,
    payment_method: 'ideal',
    order_id: number,
    order_number: `A-${number}`,
    language: 'nl',
    ip_address: '203.0.113.7',
  }
}

/** Creates a point of sale at a running hub. Its orders are and so on. */
export async function openPos(hub: RunningHub, settings: object = {}) {
  const pos = await operate<{ id: string; name: string; apiKey: string; signingSecret: string }>(
    hub,
    '/pos',
    {
      name: 'Shop',
      ...settings,
    },
  )
  const { token } = await ask<{ token: string }>(`${hub.url}/v1/guardian`, pos.apiKey)
  const jobs = `${hub.url}/v2/paymentjobs`
  let orders = 0
  return {
    ...pos,
    token,
    create: (shop: string, changes: object = {}, key?: string): Promise<JobJson> =>
      ask(jobs, token, { ...orderOf(shop, ++orders), ...changes }, key),
    read: (id: string): Promise<JobJson> => ask(`${jobs}/${id}`, token),
    refund: (id: string, amount: string): Promise<object> =>
      ask(`${jobs}/${id}/refunds`, token, { amount }, crypto.randomUUID()),
    /** The operator's view of a job's reports. */
    reportsOf: async (id: string): Promise<Reports> =>
      (await operate<{ reports: Reports }>(hub, `/jobs/${id}`)).reports,
  }
}
export type Pos = Awaited<ReturnType<typeof openPos>>

/** Takes a customer to the sandbox's page and chooses an outcome there. */
export async function choose(payUrl: string, outcome: string): Promise<string> {
  const checkout = await next(payUrl)
  return next(checkout, { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** The target of a redirect. */
export async function next(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) })
  await response.body?.cancel()
  const location = response.headers.get('location')
  if (location === null) throw new Refused(`${url} answered ${response.status} without a redirect`)
  return location
}
