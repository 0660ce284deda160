import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { send } from '../support/hub.ts'
import { ask, checkoutOf, make, newPayment } from './client.ts'

/** A network of its own for each test: those that ask too much are remembered. */
let network: string
let last = 0
beforeEach(() => {
  network = `198.18.0.${++last}`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function headers() {
  return { 'cf-connecting-ip': network }
}
function form() {
  return new URLSearchParams({ outcome: 'paid' })
}
const WAYS: Record<string, (id: string) => Promise<Response>> = {
  'the page': (id) => send(checkoutOf(id), { headers: headers() }),
  'a button of the page': (id) => send(checkoutOf(id), { method: 'POST', body: form(), headers: headers() }),
  'an action': (id) => send(`/sandbox/payments/${id}/pay`, { method: 'POST', headers: headers() }),
}

function invented(count: number): string[] {
  return Array.from({ length: count }, () => `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`)
}

/** How often the objects of these ids were asked for. */
function askedObjects() {
  const spy = vi.spyOn(env.SANDBOX_PAYMENT, 'getByName')
  return (ids: readonly string[]) => spy.mock.calls.filter(([name]) => ids.includes(name)).length
}

/** Counts as the platform does, but never begins a new minute. */
function countingLimit() {
  const counts = new Map<string, number>()
  vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockImplementation(async ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: (counts.get(key) ?? 0) <= 60 }
  })
}

describe.each(Object.entries(WAYS))(
  'payments that the sandbox does not have, asked for by %s',
  (_, visit) => {
    it('start 61 objects a minute for one network at most', async () => {
      countingLimit()
      const asked = askedObjects()
      const ids = invented(80)
      const answers: number[] = []
      for (const id of ids) answers.push((await visit(id)).status)
      expect(asked(ids)).toBe(61)
      expect(answers.slice(0, 61)).toEqual(Array.from({ length: 61 }, () => 404))
      expect(new Set(answers.slice(61))).toEqual(new Set([429]))
    })

    it('start one object each in ten seconds, however often they are asked for', async () => {
      vi.setSystemTime(Date.now())
      const asked = askedObjects()
      const ids = invented(1)
      for (let hit = 0; hit < 5; hit++) expect((await visit(ids[0] ?? '')).status).toBe(404)
      expect(asked(ids)).toBe(1)
      vi.setSystemTime(Date.now() + 10_000)
      await visit(ids[0] ?? '')
      expect(asked(ids)).toBe(2)
    })

    it('hold up nobody who has a payment that was made or used within half an hour', async () => {
      const { id } = await make()
      vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValueOnce({ success: false })
      await visit(invented(1)[0] ?? '')
      expect((await visit(invented(1)[0] ?? '')).status).toBe(429)
      expect((await visit(id)).status).toBeLessThan(400)
    })
  },
)

it('who has the key of the sandbox is not limited', async () => {
  vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
  for (const id of invented(3)) expect((await ask('GET', `/payments/${id}`)).status).toBe(404)
  const made = await ask('POST', '/payments', newPayment)
  expect(made.status).toBe(201)
})
