import { choose } from './clients.ts'
import { openReceiver } from './signed-receiver.ts'

type Hub = { url: string; secrets: Record<string, string | undefined> }
type Job = { paymentJob: string; orderNumber: string; payUrl: string; status: string }

/** A shop in test mode with a real receiver, as an operator of the console meets it. */
export async function openConsoleShop(hub: Hub, name: string) {
  const ask = async <T>(path: string, bearer: string, body?: object): Promise<T> => {
    const response = await fetch(hub.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }
  const operator = hub.secrets['OPERATOR_TOKEN'] ?? ''
  const { id, apiKey, signingSecret } = await ask<{ id: string; apiKey: string; signingSecret: string }>(
    '/operator/v1/pos',
    operator,
    { name },
  )
  const receiver = await openReceiver(signingSecret)
  let orders = 0

  const createJob = (changes: object = {}): Promise<Job> => {
    orders += 1
    return ask('/v2/paymentjobs', apiKey, {
      timestamp: 1_790_000_000,
      currency: 'EUR',
      amount: '12.50',
      return_url: `${receiver.url}/thanks`,
      report_url: receiver.url,
      payment_method: 'ideal',
      order_id: orders,
      order_number: `C-${id.slice(0, 6)}-${orders}`,
      language: 'nl',
      ip_address: '203.0.113.7',
      ...changes,
    })
  }

  /** A job that was paid, and whose shop has taken the report of it. */
  const paidJob = async (): Promise<Job> => {
    const job = await createJob()
    await fetch(await choose(job.payUrl, 'paid'), { redirect: 'manual' })
    const isTold = () =>
      receiver.received.some((one) => one.job === job.paymentJob && one.status === 'SUCCESS')
    while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 50))
    return job
  }

  const tokenOf = async (role: 'viewer' | 'support'): Promise<string> =>
    (await ask<{ token: string }>('/operator/v1/tokens', operator, { name: `${role} of a test`, role })).token

  return { id, createJob, paidJob, tokenOf, received: receiver.received, stop: receiver.stop }
}
