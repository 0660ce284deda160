import { cpuSeconds } from '../bench/runtime.ts'
import type { Built } from '../e2e/built-hub.ts'
import { orderOf } from '../e2e/clients.ts'
import { ASSUMED_REQUESTS } from '../../src/psp/port.ts'
import { serve } from '../psp/official/serve.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { startMeteredHub } from './metered-hub.ts'
import type { Counts } from './worker/counts.ts'

/** The operations since the last reading, and the purpose of each. */
type Taken = { counts: Counts; notes: string[] }

/** A payment asks the PSP at most so many times, and the PSP takes so many requests a second. */
const AT_ONCE = Math.floor(ASSUMED_REQUESTS.live / 3)
/** The most tries at a request while the hub says when to come again, as on a slow machine. */
const MOST_TRIES = 10

/** How often (ms) to check whether the hub is idle, and the most checks. */
const LOOK_EVERY = 250
const MOST_LOOKS = 400

/**
 * A metered hub, its PSP (Mollie, on a port of this machine) and a shop's receiver. Everything goes over HTTP
 * and real queues.
 */
async function startStage(built: Built) {
  const psp = mollieFake()
  const [hub, atPsp, shop] = await Promise.all([
    startMeteredHub(built),
    serve(psp.handle),
    serve(async () => new Response('ok')),
  ])
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    // workerd closes a connection that is idle while queues settle, maybe during the next request.
    headers.set('connection', 'close')
    for (let tries = 1; ; tries++) {
      const response = await fetch(new URL(path, hub.url), { redirect: 'manual', ...init, headers })
      if (response.status < 400) return response
      const text = await response.text()
      const seconds = Number(response.headers.get('retry-after') ?? NaN)
      if (![429, 503].includes(response.status) || tries === MOST_TRIES)
        throw new Error(`${path} answered ${response.status}: ${text}`)
      await pause((seconds || 1) * 1000)
    }
  }
  const post = async <Answer>(path: string, bearer: string, body: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    return (await (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Answer
  }
  const operate = <Answer>(path: string, body: object) =>
    post<Answer>(`/operator/v1${path}`, hub.operatorToken, body)

  const newPos = (name: string) => operate<{ id: string; apiKey: string }>('/pos', { name, mode: 'live' })
  const [pos, other] = [await newPos('Shop 1'), await newPos('Shop 2')]
  const [credentials] = psp.accounts
  for (const [{ id }, account] of [
    [pos, 'mollie'],
    [other, 'mollie-of-other'],
  ] as const) {
    await operate('/accounts', { id: account, psp: 'mollie', mode: 'live', credentials, endpoint: atPsp.url })
    await operate(`/pos/${id}/routes`, { paymentMethod: '*', accounts: [account] })
  }
  const [terminal] = psp.terminals
  await operate('/accounts/mollie/terminals', { terminal: terminal?.id })
  await operate(`/pos/${pos.id}/terminals`, { terminal: terminal?.id, isDefault: true })

  const payUrls = new Map<string, string>()
  const payPath = (job: string) => new URL(payUrls.get(job) ?? '').pathname

  return {
    /** The point of sale whose payments are counted. */
    pos,
    /** Another one, with another account: the costs include what a Worker remembers of the first. */
    other,
    ask,
    async newToken({ apiKey }: { apiKey: string }): Promise<string> {
      const headers = { authorization: `Bearer ${apiKey}` }
      return ((await (await ask('/v1/guardian', { headers })).json()) as { token: string }).token
    },
    async newJob(token: string, changes: object = {}): Promise<string> {
      // A new order number: two paid jobs of one would report each other.
      const order = { ...orderOf(shop.url), order_number: crypto.randomUUID(), ...changes }
      const job = await post<{ paymentJob: string; payUrl: string }>('/v2/paymentjobs', token, order)
      payUrls.set(job.paymentJob, job.payUrl)
      return job.paymentJob
    },
    /** The customer opens the job's payUrl, until it leads to the PSP. */
    async pay(job: string): Promise<void> {
      for (let tries = 1; (await ask(payPath(job))).status !== 303; tries++) {
        if (tries === MOST_TRIES) throw new Error(`${payPath(job)} leads to no page of the PSP`)
        await pause(1000)
      }
    },
    /** The customer comes back from the PSP. */
    comeBack: (job: string) => ask(payPath(job).replace('/pay/', '/return/')),
    read: (token: string, job: string, headers: Record<string, string> = {}) =>
      ask(`/v2/paymentjobs/${job}`, { headers: { authorization: `Bearer ${token}`, ...headers } }),
    /** Pays a job at the PSP. Returns a function that sends the PSP's notification. */
    async paid(job: string): Promise<() => Promise<Response>> {
      psp.bring(job, 'paid')
      const [notification] = await psp.notify(job, Date.now())
      if (!notification?.url) throw new Error('the PSP sent no notification')
      const { url, ...sent } = notification
      return () => ask(new URL(url).pathname, { method: 'POST', ...sent })
    },
    /** Waits until all queues and objects of the hub are idle. */
    async settle(): Promise<void> {
      let before: unknown = null
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        await pause(LOOK_EVERY)
        const counts: unknown = await (await ask('/meter/standing')).json()
        if (counts !== null && counts === before) return
        before = counts
      }
      throw new Error('the hub does not come to rest')
    },
    take: async () => (await (await ask('/meter/counts')).json()) as Taken,
    look: async (job: string) =>
      (await (await ask(`/meter/look?job=${job}`)).json()) as { alarmAt: number | null; bytes: number },
    /** Measures the CPU time (ms) of the hub during some work; null if the machine does not report it. */
    async cpuOf(work: () => Promise<unknown>): Promise<number | null> {
      const before = cpuSeconds(hub.pids)
      await work()
      const after = cpuSeconds(hub.pids)
      return before === null || after === null ? null : (after - before) * 1000
    },
    stop: async (): Promise<void> => void (await Promise.all([hub.stop(), atPsp.stop(), shop.stop()])),
  }
}
export type Stage = Awaited<ReturnType<typeof startStage>>

/** Plays something on a new stage. */
export async function onStage<Result>(
  built: Built,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const stage = await startStage(built)
  try {
    return await play(stage)
  } finally {
    await stage.stop()
  }
}

/** Does something for so many payments, and never asks the PSP more often in a second than it takes. */
export async function atPace<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  while (results.length < count) {
    const atOnce = Math.min(AT_ONCE, count - results.length)
    results.push(...(await Promise.all(Array.from({ length: atOnce }, work))))
    await pause(1000)
  }
  return results
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** A successful payment, as fast as possible, without measuring its parts. */
export async function hurry(stage: Stage, token: string): Promise<void> {
  const job = await stage.newJob(token)
  await stage.pay(job)
  const notify = await stage.paid(job)
  await stage.comeBack(job)
  await notify()
  await stage.read(token, job)
}
