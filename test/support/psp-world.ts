import { env } from 'cloudflare:workers'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { fakeOf } from './fakes.ts'
import type { SentNotification } from './psps/fake-psp.ts'
import { type Pos, askWith, makePos, send } from './hub/hub.ts'
import { operate } from './hub/operator.ts'
import { outsideWith } from './outside.ts'

export const PSPS = Object.keys(ADAPTERS)

/** A PSP at its own address, and the shops' receivers. */
export function pspWorld(psp: string) {
  return Object.assign(outsideWith(fakeOf(psp)), { psp })
}

export type PspWorld = ReturnType<typeof pspWorld>

let accounts = 0

/** Adds one of the fake's two accounts as an operator does. */
export async function addAccount({ fake, psp }: Pick<PspWorld, 'fake' | 'psp'>, which: 0 | 1 = 0) {
  const id = `${psp}-${++accounts}`
  const credentials = fake.accounts[which]
  const added = await operate('POST', '/accounts', { id, psp, mode: 'live', credentials })
  if (added.status !== 201) throw new Error(`no account: ${await added.text()}`)
  return id
}

export async function route(pos: Pos, paymentMethod: string, ...to: string[]): Promise<void> {
  const routed = await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod, accounts: to })
  if (routed.status !== 200) throw new Error(`no route: ${await routed.text()}`)
}

/** A live point of sale that uses a new account at the PSP for every method. */
export async function posAt(world: PspWorld): Promise<Pos> {
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', await addAccount(world))
  return pos
}

/** Sends a notification to the address given with the payment, or to the account's address. */
export function deliver(account: string, { url, headers, body }: SentNotification): Promise<Response> {
  const { pathname, search } = new URL(url ?? `https://hub.test/notifications/${account}`)
  return send(pathname + search, { method: 'POST', headers, body })
}

/** Sends all notifications that the PSP has for a job now. Returns the status codes of the hub's answers. */
export async function notify({ fake }: PspWorld, job: string): Promise<number[]> {
  const stored = await env.PAYMENT_JOB.getByName(job).read()
  const sent = await fake.notify(job, Date.now())
  const answers: number[] = []
  for (const notification of sent)
    answers.push((await deliver(stored?.payments[0]?.account ?? '', notification)).status)
  return answers
}

export type RefundJson = {
  refund: string
  status: string
  amount: string
  error: string | null
  detail?: string
}

/** A shop requests a refund. Returns the answer, with its HTTP status as `code`. */
export async function refund(token: string, job: string, amount: string, key = crypto.randomUUID()) {
  const headers = { 'idempotency-key': key }
  const response = await askWith(token, 'POST', `/v2/paymentjobs/${job}/refunds`, { amount }, headers)
  return { ...(await response.json<RefundJson>()), code: response.status }
}

/** The refunds of a job as the shop sees them. */
export async function refundsOf(token: string, job: string): Promise<RefundJson[]> {
  const response = await askWith(token, 'GET', `/v2/paymentjobs/${job}/refunds`)
  return (await response.json<{ refunds: RefundJson[] }>()).refunds
}
