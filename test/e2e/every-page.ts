import { mollieFake } from '../support/psps/mollie.ts'
import { serve } from '../psp/official/serve.ts'
import { choose, next } from './clients.ts'

type Json = Record<string, unknown>
export type RunningHub = { url: string; secrets: Record<string, string | undefined> }

/**
 * What becomes of a payment: a choice on the sandbox's page, or something that a test lets happen
 * to it after it was paid.
 */
type Fate = 'open' | 'paid' | 'failed' | 'canceled' | 'expired' | 'underway'

const SHOP = 'Bäckerei Müller & Söhne'

/** A shop of a hub, and every page that its customers can meet. */
export async function openCustomerPages(hub: RunningHub, shop: string) {
  const operate = (path: string, body: object): Promise<Json> =>
    ask(`${hub.url}/operator/v1${path}`, hub.secrets['OPERATOR_TOKEN'], body)
  const pos = await operate('/pos', { name: SHOP })
  const live = await operate('/pos', { name: SHOP, mode: 'live' })

  const createAt = async ({ apiKey }: Json, changes: object): Promise<{ id: string; payUrl: string }> => {
    const job = await ask(`${hub.url}/v2/paymentjobs`, String(apiKey), {
      timestamp: 1_790_000_000,
      currency: 'EUR',
      amount: '1234.50',
      return_url: `${shop}/thanks`,
      report_url: `${shop}/report`,
      payment_method: 'ideal',
      order_id: '7',
      order_number: '2026-10-000012345',
      language: 'nl',
      ip_address: '203.0.113.7',
      ...changes,
    })
    return { id: String(job['paymentJob']), payUrl: String(job['payUrl']) }
  }

  /** A job whose customer has been at the sandbox, and the sandbox's reference of its payment. */
  const jobAfter = async (fate: Fate, changes: object = {}) => {
    const job = await createAt(pos, changes)
    const reference = (await next(job.payUrl)).split('/').at(-1) ?? ''
    if (fate !== 'open') await fetch(await choose(job.payUrl, fate), { redirect: 'manual' })
    return { ...job, reference, pages: { pay: job.payUrl, ...pagesOf(job) } }
  }

  const pagesOf = ({ payUrl }: { payUrl: string }) => ({
    receipt: payUrl.replace('/pay/', '/receipt/'),
    back: payUrl.replace('/pay/', '/return/'),
  })

  /** Lets something happen to a payment of the sandbox, and waits until the hub knows. */
  const happen = async (job: { payUrl: string; reference: string }, action: string, body: object = {}) => {
    const before = await shownOf(job)
    // The notification of what was before must be through: two within two seconds count as one.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    await ask(`${hub.url}/sandbox/payments/${job.reference}/${action}`, null, body)
    while ((await shownOf(job)) === before) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const shownOf = async (job: { payUrl: string }): Promise<string> =>
    (await fetch(pagesOf(job).receipt)).text()

  const refund = (id: string, amount: string): Promise<Json> =>
    ask(`${hub.url}/v2/paymentjobs/${id}/refunds`, String(pos['apiKey']), { amount }, crypto.randomUUID())

  /** A live shop's account at a PSP that says so itself how it answers. */
  const psp = mollieFake()
  let answer: typeof psp.handle = psp.handle
  const server = await serve((request) => answer(request))
  const [credentials] = psp.accounts
  const endpoint = server.url
  // Test files share a hub.
  const account = `mollie-${crypto.randomUUID().slice(0, 8)}`
  await operate('/accounts', { id: account, psp: 'mollie', mode: 'live', credentials, endpoint })
  await operate(`/pos/${String(live['id'])}/routes`, { paymentMethod: '*', accounts: [account] })
  const fails = async () => new Response(null, { status: 500 })

  return {
    name: SHOP,
    /** The API key of its live point of sale. */
    liveKey: String(live['apiKey']),
    psp: {
      fails: () => void (answer = fails),
      /** Answers after so many milliseconds. */
      isSlow: (ms: number) =>
        void (answer = async (request) => {
          await new Promise((resolve) => setTimeout(resolve, ms))
          return psp.handle(request)
        }),
    },
    jobAfter,
    happen,
    refund,
    /** A job that its PSP does not know yet. */
    jobWithoutPsp: async (changes: object = {}) => {
      answer = fails
      return createAt(live, changes)
    },
    close: server.stop,
  }
}

async function ask(
  url: string,
  bearer: string | null | undefined,
  body: object,
  key?: string,
): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Json
}
