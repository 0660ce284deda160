import type { startBuiltHub } from '../e2e/built-hub.ts'
import { type Pos, type Trace, choose, next, openPos, operate } from '../e2e/clients.ts'
import type { Outcome } from '../support/psps/fake-psp.ts'
import type { openPsp } from './outside.ts'

/** What a till knows of a job that was acknowledged; `chosen` is what its PSP has confirmed. */
export type Known = { pos: Pos; id: string; trace: Trace; chosen: 'paid' | 'canceled' | null }

/** How long (ms) a till waits between two payments, and how many are played side by side. */
const BETWEEN = 300
const TILLS = 3

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

type Psp = Awaited<ReturnType<typeof openPsp>>

/**
 * Tills and their customers at work, at a shop of test mode and at one of live mode: most customers
 * pay, some cancel or leave, and not all come back; tills repeat orders and read jobs.
 */
export function openTraffic(hub: string, shop: string, { test, live }: { test: Pos; live: Pos }, psp: Psp) {
  const known: Known[] = []
  const renotify: (() => Promise<boolean>)[] = []
  let isOver = false
  let number = 0
  let attempts = 0

  const order = async (pos: Pos): Promise<{ one: Known; payUrl: string }> => {
    const key = ++number % 2 === 0 ? crypto.randomUUID() : undefined
    const numbered = { order_id: number, order_number: `A-${number}` }
    const job = await pos.create(shop, numbered, key)
    const one: Known = { pos, id: job.paymentJob, trace: job.payments.steps, chosen: null }
    known.push(one)
    if (key !== undefined && number % 4 === 0) await pos.create(shop, numbered, key)
    return { one, payUrl: job.payUrl }
  }

  const payInTestMode = async (outcome: 'paid' | 'canceled'): Promise<void> => {
    const { one, payUrl } = await order(test)
    if (number % 7 === 0) return
    const back = await choose(payUrl, outcome)
    one.chosen = outcome
    if (number % 3 > 0) await next(back)
    one.trace = (await test.read(one.id)).payments.steps
  }

  const payInLiveMode = async (outcome: 'paid' | 'canceled'): Promise<void> => {
    const { one, payUrl } = await order(live)
    if (number % 7 === 0) return
    await next(payUrl)
    const status: Outcome = outcome === 'paid' ? 'paid' : 'cancelled'
    psp.fake.bring(one.id, status)
    one.chosen = outcome
    const notify = () => notified(one.id)
    if (!(await notify().catch(() => false))) renotify.push(notify)
    one.trace = (await live.read(one.id)).payments.steps
  }

  const notified = async (job: string): Promise<boolean> => {
    const answers = await Promise.all(
      (await psp.fake.notify(job, Date.now())).map(({ url, headers, body }) =>
        fetch(hub + new URL(url ?? hub).pathname, { method: 'POST', headers, body }),
      ),
    )
    return answers.every(({ ok }) => ok)
  }

  /** A PSP notifies again until it is heard. */
  const notifyAgain = async (): Promise<void> => {
    for (const again of renotify.splice(0)) if (!(await again().catch(() => false))) renotify.push(again)
  }

  const work = async (till: number): Promise<void> => {
    while (!isOver) {
      attempts++
      const outcome = attempts % 5 === 0 ? 'canceled' : 'paid'
      // A connection that breaks off at a restart is expected; what was acknowledged is looked at
      // in the end.
      await (till % 2 === 0 ? payInTestMode(outcome) : payInLiveMode(outcome)).catch(() => pause(500))
      await pause(BETWEEN)
      if (attempts % 20 === 0) await notifyAgain()
    }
  }
  const running = Array.from({ length: TILLS }, (_, till) => work(till))
  return {
    known,
    attempts: () => attempts,
    notifyAgain,
    stop: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}
export type Traffic = ReturnType<typeof openTraffic>

/** A shop of test mode, at the sandbox, and one of live mode, at a PSP of this machine. */
export async function openShopsOf(
  hub: Awaited<ReturnType<typeof startBuiltHub>>,
  psp: Psp,
): Promise<{ test: Pos; live: Pos }> {
  const [credentials] = psp.fake.accounts
  const account = { id: 'mollie', psp: 'mollie', mode: 'live', credentials, endpoint: psp.url }
  await operate(hub, '/accounts', account)
  const live = await openPos(hub, { mode: 'live' })
  await operate(hub, `/pos/${live.id}/routes`, { paymentMethod: '*', accounts: ['mollie'] })
  return { test: await openPos(hub), live }
}
