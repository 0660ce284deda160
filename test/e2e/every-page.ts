import { mollieFake } from '../support/psps/mollie.ts'
import { serve } from '../psp/official/serve.ts'
import { type Pos, type RunningHub, ask, choose, next, openPos, operate } from './clients.ts'

/** The customer's choice at the sandbox, or a later event. */
type Fate = 'open' | 'paid' | 'failed' | 'canceled' | 'expired' | 'underway'

/** `changedAt`: when (ms) the payment last changed. */
type Happened = { payUrl: string; reference: string; changedAt: number }

const SHOP = 'Bäckerei Müller & Söhne'

/** A shop of a hub, and all pages that its customers can see. */
export async function openCustomerPages(hub: RunningHub, shop: string) {
  const [pos, live] = [await openPos(hub, { name: SHOP }), await openPos(hub, { name: SHOP, mode: 'live' })]

  let orders = 12_345
  const createAt = async ({ create }: Pos, changes: object): Promise<{ id: string; payUrl: string }> => {
    // The page of a payment says if another one has its order number.
    const order = { amount: '1234.50', order_number: `2026-10-0000${++orders}`, ...changes }
    const { paymentJob: id, payUrl } = await create(shop, order)
    return { id, payUrl }
  }

  /** A job whose customer has been at the sandbox, and the sandbox's reference for the payment. */
  const jobAfter = async (fate: Fate, changes: object = {}) => {
    const job = await createAt(pos, changes)
    const reference = (await next(job.payUrl)).split('/').at(-1) ?? ''
    if (fate !== 'open') await fetch(await choose(job.payUrl, fate), { redirect: 'manual' })
    return { ...job, reference, pages: { pay: job.payUrl, ...pagesOf(job) }, changedAt: Date.now() }
  }

  const pagesOf = ({ payUrl }: { payUrl: string }) => ({
    receipt: payUrl.replace('/pay/', '/receipt/'),
    back: payUrl.replace('/pay/', '/return/'),
  })

  /** Changes a payment at the sandbox, and waits until the hub knows. */
  const happen = async (job: Happened, action: string, body: object = {}) => {
    const before = await shownOf(job)
    // The previous notification must have arrived, because two within two seconds count as one.
    await new Promise((resolve) => setTimeout(resolve, Math.max(job.changedAt + 2500 - Date.now(), 0)))
    job.changedAt = Date.now()
    await ask(`${hub.url}/sandbox/payments/${job.reference}/${action}`, undefined, body)
    while ((await shownOf(job)) === before) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const shownOf = async (job: { payUrl: string }): Promise<string> =>
    (await fetch(pagesOf(job).receipt)).text()

  /** The PSP of the live shop, whose speed the test chooses. */
  const psp = mollieFake()
  let answer: typeof psp.handle = psp.handle
  const server = await serve((request) => answer(request))
  const [credentials] = psp.accounts
  const endpoint = server.url
  // Test files share a hub.
  const account = `mollie-${crypto.randomUUID().slice(0, 8)}`
  await operate(hub, '/accounts', { id: account, psp: 'mollie', mode: 'live', credentials, endpoint })
  await operate(hub, `/pos/${live.id}/routes`, { paymentMethod: '*', accounts: [account] })
  const fails = async () => new Response(null, { status: 500 })

  return {
    name: SHOP,
    /** The API key of the live point of sale. */
    liveKey: live.apiKey,
    psp: {
      fails: () => void (answer = fails),
      /** Delays the PSP's answers by this long (ms). */
      isSlow: (ms: number) =>
        void (answer = async (request) => {
          await new Promise((resolve) => setTimeout(resolve, ms))
          return psp.handle(request)
        }),
    },
    jobAfter,
    happen,
    /** A job at a new simulated terminal, and the terminal's page. */
    jobAtTerminal: async (changes: object = {}) => {
      const own = await openPos(hub, { name: SHOP })
      const { payUrl: pay } = await createAt(own, {
        terminal: 'default',
        payment_method: 'terminal',
        ...changes,
      })
      for (;;) {
        const [, path] = /href="(\/sandbox\/checkout\/\w+)"/.exec(await (await fetch(pay)).text()) ?? []
        if (path) return { pay, terminal: hub.url + path }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    refund: pos.refund,
    /** A job that its PSP does not know yet. */
    jobWithoutPsp: async (changes: object = {}) => {
      answer = fails
      return createAt(live, changes)
    },
    close: server.stop,
  }
}
