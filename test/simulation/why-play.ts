import { evictDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import type { KnownPos } from './known-pos.ts'
import type { JobDetail } from '../../src/contract/job-detail.ts'
import { consumeDeadReports } from '../../src/reports/report-delivery.ts'
import type { Cause } from '../../src/contract/causes.ts'
import type { OrderKind, Outcome } from './commands.ts'
import { comeBack, visit } from './customer.ts'
import { deliverReports, notifyNewest } from './messages.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'
import { placeOrder } from './shop-client.ts'
import { handTo } from './queue.ts'
import { moveTo, pass, ring } from './time.ts'
import { type World, makeWorld } from './world.ts'

/** The injected cause, and the one that the hub named. */
export type NamedCause = { expected: Cause; named: string; happened: string }

/** How a faulty PSP or shop answers; null for its normal answer. */
type Faulty = (request: Request) => Response | Promise<Response> | null

/** Sets up a world for one payment. Its PSP and its shop can be made faulty. */
export async function makePlay(seed: number, pos: KnownPos) {
  const world = makeWorld(seed, pos, 'EUR')
  const psp = faultyOnce(world.psp)
  const shop = faultyOnce(world.shop)
  const causes: NamedCause[] = []
  // Deadlines go by the simulated clock.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const { signal } = new AbortController()
    const end = Date.now() + ms
    Object.defineProperty(signal, 'aborted', { get: () => Date.now() >= end })
    return signal
  })
  const job = (): string => world.jobs[0] ?? ''
  const ask = (path: string, method: 'GET' | 'POST' = 'GET'): Promise<Response> =>
    world.askAsOperator(method, `/jobs/${job()}${path}`)
  return {
    world,
    causes,
    job,
    ask,
    psp: psp.fault,
    shop: shop.fault,
    order: (kind: Partial<OrderKind> = {}) => placeOrder(world, kind),
    customer: (outcome: Outcome, days = 1) => visit(world, job(), { outcome, days, notifies: true }),
    comesBack: () => comeBack(world, job(), 1),
    isNotified: () => notifyNewest(world, 'once'),
    pass: (ms: number) => pass(world, ms),
    /** Lets a long time pass; the alarm rings once, at the end. */
    async skip(ms: number): Promise<void> {
      await moveTo(world, Date.now() + ms)
      await ring(world, job())
      await deliverReports(world)
    },
    /** Lets time pass while the queue loses every report. */
    async passWithoutQueue(ms: number): Promise<void> {
      await moveTo(world, Date.now() + ms)
      await ring(world, job())
      world.platform.reports.waiting.splice(0)
    },
    /** The queue gives up a report. */
    dies: (message: unknown): Promise<boolean> => handTo(world.env, consumeDeadReports, [message]),
    /** The object leaves memory, as it does after a while. */
    evict: () => evictDurableObject(world.platform.objectOf(job())).then(() => world.seen.clear()),
    /** Asks the hub for the cause, and notes it. */
    async why(expected: Cause): Promise<void> {
      const { why } = await (await ask('')).json<JobDetail>()
      causes.push({ expected, named: why.cause, happened: why.happened })
    },
  }
}
export type Play = Awaited<ReturnType<typeof makePlay>>

function faultyOnce(party: World['psp'] | World['shop']) {
  const answer = party.answer.bind(party)
  let faulty: Faulty | null = null
  party.answer = async (request: Request): Promise<Response> => (await faulty?.(request)) ?? answer(request)
  return { fault: (now: Faulty | null) => void (faulty = now) }
}

export const BROKEN: Faulty = () => new Response('<h1>Bad Gateway</h1>', { status: 502 })
export const UNREACHABLE: Faulty = () => Promise.reject(new TypeError('network'))
export const WRONG_KEY: Faulty = () => mollieProblem(401, 'Unauthorized Request', 'Missing authentication')

/** Limits a fault to reads of a payment: the hub can still create and stop it. */
export function atLooks(faulty: Faulty): Faulty {
  return (request) => (request.method === 'GET' ? faulty(request) : null)
}

export function answers(status: number, body: string | null = 'no'): Faulty {
  const headers = status >= 300 && status < 400 ? { location: 'https://a.nl' } : {}
  return () => new Response(body, { status, headers })
}

/** Answers so late that the hub gives up: the simulated clock moves on. */
export const hangs: Faulty = () => {
  vi.setSystemTime(Date.now() + 15_000)
  return Promise.reject(new DOMException('late', 'AbortError'))
}
