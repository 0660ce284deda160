import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { sealContents } from '../../src/psp/connect.ts'
import { pspAccounts, routes } from '../../src/storage/d1/schema.ts'
import { profileById } from '../../src/storage/d1/points-of-sale.ts'
import { publishAccount } from '../../src/storage/kv/account-cache.ts'
import { publishProfile } from '../../src/storage/kv/profile-cache.ts'
import { drizzle } from 'drizzle-orm/d1'
import { type Pos, makePos } from './hub.ts'

/** A live-mode point of sale that has a Mollie account for every method. */
export const makeLivePos = async (): Promise<Pos> => {
  const pos = await makePos({ mode: 'live' })
  const db = drizzle(env.DB)
  const account = `mollie-${pos.id.slice(0, 8)}`
  const sealed = await sealContents(env, account, { credentials: { apiKey: 'live_abcdefghij' } })
  const row = { id: account, psp: 'mollie', mode: 'live' as const, sealed, createdAt: 0 }
  await db.insert(pspAccounts).values(row)
  await publishAccount(env.TOKENS, row)
  await db.insert(routes).values({ pos: pos.id, paymentMethod: '*', position: 0, account })
  const found = await profileById(env.DB, pos.id)
  if (found) await publishProfile(env.TOKENS, found.profile)
  return pos
}

type Reported = { paymentJob: string; status: string; amountPaid: string; headers: Record<string, string> }
type MolliePayment = { id: string; status: string; value: string; currency: string; key: string | null }

/**
 * Plays Mollie and the shop's receiver on the outside, as far as the hub sees them. `status` is what the payment now
 * is, `fault` what happens instead of an answer; the answers have the form that test/psp proves with the adapter.
 */
export const outside = () => {
  const calls: string[] = []
  const reports: Reported[] = []
  const payments = new Map<string, MolliePayment>()
  const world = {
    calls,
    /** The statuses reported of one job: a report of another test's may still be under way. */
    reportsOf: (job: string) =>
      reports.filter((report) => report.paymentJob === job).map(({ status }) => status),
    payments,
    status: 'open',
    expiresAt: undefined as string | undefined,
    fault: undefined as (() => Response) | undefined,
    receiver: (): Response | Promise<Response> => new Response('ok'),
    stop: () => spy.mockRestore(),
  }
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.hostname !== 'api.mollie.com') {
      const body = await request.json<Omit<Reported, 'headers'>>()
      reports.push({ ...body, headers: Object.fromEntries(request.headers) })
      return world.receiver()
    }
    calls.push(`${request.method} ${url.pathname}`)
    if (world.fault) return world.fault()
    if (request.method === 'POST') {
      const { amount } = await request.json<{ amount: { value: string; currency: string } }>()
      const key = request.headers.get('idempotency-key')
      const known = [...payments.values()].find((payment) => payment.key === key)
      const payment = known ?? {
        id: `tr_${crypto.randomUUID().slice(0, 10).replace('-', 'x')}`,
        status: 'open',
        key,
        ...amount,
      }
      payments.set(payment.id, payment)
      return Response.json(molliePayment(payment, 'open', world.expiresAt), { status: 201 })
    }
    const payment = payments.get(url.pathname.split('/').at(-1) ?? '')
    if (!payment) return Response.json({ status: 404, title: 'Not Found', detail: 'none' }, { status: 404 })
    if (request.method === 'DELETE') world.status = 'canceled'
    return Response.json(molliePayment(payment, world.status, world.expiresAt))
  })
  return world
}

const molliePayment = ({ id, value, currency }: MolliePayment, status: string, expiresAt?: string) => ({
  resource: 'payment',
  id,
  status,
  amount: { value, currency },
  ...(expiresAt ? { expiresAt } : {}),
  _links: { checkout: { href: `https://www.mollie.com/checkout/${id}` } },
})
