import type { JobJson } from './clients.ts'

type Reports = { revision: number; state: string; attempts: { at: string; outcome: string }[] }[]

/** A new point of sale of a running hub with its key, and what its operator sees of its reports. */
export async function openTestPos(hub: string, operatorToken: string | undefined, settings: object = {}) {
  const ask = async <T>(path: string, bearer: string, body?: object): Promise<T> => {
    const response = await fetch(hub + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }
  const operator = operatorToken ?? ''
  const { apiKey, signingSecret } = await ask<{ apiKey: string; signingSecret: string }>(
    '/operator/v1/pos',
    operator,
    { name: 'Shop', ...settings },
  )
  let orders = 0
  return {
    apiKey,
    signingSecret,
    create: (reportUrl: string): Promise<JobJson> => {
      orders += 1
      return ask('/v2/paymentjobs', apiKey, {
        timestamp: 1_790_000_000,
        currency: 'EUR',
        amount: '12.50',
        return_url: 'http://localhost:3000/thanks',
        report_url: reportUrl,
        payment_method: 'ideal',
        order_id: orders,
        order_number: `A-${orders}`,
        language: 'nl',
        ip_address: '203.0.113.7',
      })
    },
    statusOf: async (job: string): Promise<string> =>
      (await ask<JobJson>(`/v2/paymentjobs/${job}`, apiKey)).status,
    reportsOf: async (job: string): Promise<Reports> =>
      (await ask<{ reports: Reports }>(`/operator/v1/jobs/${job}`, operator)).reports,
  }
}
