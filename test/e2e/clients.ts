export type Trace = { creationDate: string; action: string; status: string }[]
export type JobJson = {
  paymentJob: string
  payUrl: string
  status: string
  amountPaid: string | number
  payments: { steps: Trace }
}

export class Refused extends Error {}

/** A point of sale of a running hub, as its operator makes it. */
export async function openPos(
  hub: string,
  operatorToken: string | undefined,
  mode: 'test' | 'live' = 'test',
) {
  const made = { name: 'Shop', mode }
  const { id: pos, apiKey } = await json<{ id: string; apiKey: string }>(
    `${hub}/operator/v1/pos`,
    operatorToken,
    made,
  )
  const { token } = await json<{ token: string }>(`${hub}/v1/guardian`, apiKey)
  return {
    id: pos,
    apiKey,
    token,
    create: (shop: string, path: string, number: number, key?: string): Promise<JobJson> =>
      json(`${hub}/v2/paymentjobs`, token, orderOf(shop, path, number), key),
    read: (id: string): Promise<JobJson> => json(`${hub}/v2/paymentjobs/${id}`, token),
  }
}
export type Pos = Awaited<ReturnType<typeof openPos>>

function orderOf(shop: string, path: string, number: number) {
  return {
    timestamp: 1_790_000_000,
    currency: 'EUR',
    amount: '12.50',
    return_url: `${shop}/thanks`,
    report_url: `${shop}${path}`,
    payment_method: 'ideal',
    order_id: number,
    order_number: `A-${number}`,
    language: 'nl',
    ip_address: '203.0.113.7',
  }
}

/** Walks a customer to the sandbox's page, where the choice is made. */
export async function choose(payUrl: string, outcome: string): Promise<string> {
  const checkout = await next(payUrl)
  return next(checkout, { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** The address that a redirect leads to. */
export async function next(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) })
  await response.body?.cancel()
  const location = response.headers.get('location')
  if (location === null) throw new Refused(`${url} answered ${response.status} without a redirect`)
  return location
}

async function json<T>(url: string, bearer: unknown, body?: object, key?: string): Promise<T> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${String(bearer)}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(20_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Refused(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}
