import type { Client, Work } from '../load.ts'
import { pick } from '../random.ts'
import type { Hub } from '../servers/hub.ts'
import { create, read } from './api-tasks.ts'
import type { Task } from './task.ts'

/** Where the hub's own addresses lead, for a client that is connected already. */
function pathOf(hub: Hub, url: string): string {
  if (!url.startsWith(`${hub.url}/`)) throw new Error(`${url} is not at the hub`)
  return url.slice(hub.url.length)
}

/** Follows a job's customer to the sandbox's page. */
async function toCheckout(hub: Hub, client: Client, id: string): Promise<string> {
  const { header } = await client({ method: 'GET', path: `/pay/${id}` }, 303)
  return pathOf(hub, header('location'))
}

/** What the PSP sends: the id of the payment, in a form. */
export async function notify(client: Client, id: string, reference: string): Promise<void> {
  await client(
    {
      method: 'POST',
      path: `/notifications/sandbox/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${reference}`,
    },
    200,
  )
}

/** Chooses the outcome on the sandbox's page. Where the customer is sent then. */
async function payAt(hub: Hub, client: Client, checkout: string): Promise<string> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const { header } = await client(
    { method: 'POST', path: checkout, headers: form, body: 'outcome=paid' },
    303,
  )
  return pathOf(hub, header('location'))
}

export type Notified = { id: string; reference: string }

/** A new job with its payment at the sandbox: paid there, though the hub does not know it yet, or open. */
export async function createPayment(
  hub: Hub,
  client: Client,
  body: string,
  outcome: 'paid' | 'open',
): Promise<Notified> {
  const { id } = await create(hub, client, body)
  const checkout = await toCheckout(hub, client, id)
  if (outcome === 'paid') await payAt(hub, client, checkout)
  return { id, reference: checkout.slice(checkout.lastIndexOf('/') + 1) }
}

/** Has an open payment paid at the sandbox, which notifies the hub. The customer does not come back. */
export async function payOnly(hub: Hub, client: Client, { reference }: Notified): Promise<void> {
  await payAt(hub, client, `/sandbox/checkout/${reference}`)
}

/** Creates a job, walks its customer through the payment and back, and reads the job until it is paid. */
function wholePayment(hub: Hub, body: string): Work {
  return async (_, client) => {
    const { id } = await create(hub, client, body)
    const checkout = await toCheckout(hub, client, id)
    await client({ method: 'GET', path: checkout }, 200)
    const back = await payAt(hub, client, checkout)
    await client({ method: 'GET', path: back }, 303)
    for (let looks = 1; !(await read(hub, client, id)).includes('"status":"SUCCESS"'); looks++) {
      if (looks === 10) throw new Error(`job ${id} was not paid after ${looks} looks`)
    }
  }
}

/** What only the hub does. A notification of an open payment is followed by a pull; of a paid one it is not. */
export function hubTasks(
  hub: Hub,
  jobs: { open: readonly Notified[]; settled: readonly Notified[] },
  body: string,
  chance: () => number,
): Task[] {
  const guardian: Work = async (_, client) => {
    const headers = { authorization: `Bearer ${hub.apiKey}` }
    const { text } = await client({ method: 'GET', path: '/v1/guardian', headers }, 200)
    if (!text.includes('"token":')) throw new Error(`no token: ${text}`)
  }
  const notified =
    (known: readonly Notified[]): Work =>
    async (_, client) => {
      const { id, reference } = pick(known, chance)
      await notify(client, id, reference)
    }
  const task = { server: hub, turns: { 1: 50, 16: 150, 64: 150 } } as const
  return [
    { ...task, what: 'guardian', work: guardian },
    { ...task, what: 'notification, open', work: notified(jobs.open) },
    { ...task, what: 'notification, settled', work: notified(jobs.settled) },
    {
      what: 'whole payment',
      server: hub,
      turns: { 1: 10, 16: 32, 64: 64 },
      work: wholePayment(hub, body),
    },
  ]
}
