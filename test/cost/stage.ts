import { cpuSeconds } from '../bench/runtime.ts'
import type { Built } from '../e2e/built-hub.ts'
import { orderOf } from '../e2e/clients.ts'
import { serve } from '../psp/official/serve.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { startMeteredHub } from './metered-hub.ts'
import type { Counts } from './worker/counts.ts'

/** What was counted since it was last asked for, and what each operation was for. */
type Taken = { counts: Counts; notes: string[] }

/** How often (ms) the hub is asked whether it is at rest, and how often at the most. */
const LOOK_EVERY = 250
const MOST_LOOKS = 400

/**
 * A metered hub, its PSP (Mollie, behind a port of this machine) and the receiver of a shop.
 * Everything goes over HTTP and through the real queues.
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
    // workerd closes a connection that rests for as long as queues take to settle, maybe while the
    // next request is under way.
    headers.set('connection', 'close')
    const response = await fetch(new URL(path, hub.url), { redirect: 'manual', ...init, headers })
    if (response.status >= 400)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
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
    /** The point of sale that is counted. */
    pos,
    /** Another one, at another account: what a Worker remembers of the first is counted too. */
    other,
    ask,
    async newToken({ apiKey }: { apiKey: string }): Promise<string> {
      const headers = { authorization: `Bearer ${apiKey}` }
      return ((await (await ask('/v1/guardian', { headers })).json()) as { token: string }).token
    },
    async newJob(token: string, changes: object = {}): Promise<string> {
      // Two paid jobs of one order number would tell of each other.
      const order = { ...orderOf(shop.url), order_number: crypto.randomUUID(), ...changes }
      const job = await post<{ paymentJob: string; payUrl: string }>('/v2/paymentjobs', token, order)
      payUrls.set(job.paymentJob, job.payUrl)
      return job.paymentJob
    },
    /** The customer opens the job's payUrl. */
    pay: (job: string) => ask(payPath(job)),
    /** The customer comes back from the PSP. */
    comeBack: (job: string) => ask(payPath(job).replace('/pay/', '/return/')),
    read: (token: string, job: string, headers: Record<string, string> = {}) =>
      ask(`/v2/paymentjobs/${job}`, { headers: { authorization: `Bearer ${token}`, ...headers } }),
    /** Pays a job at the PSP. Gives what sends the PSP's notification of that. */
    async paid(job: string): Promise<() => Promise<Response>> {
      psp.bring(job, 'paid')
      const [notification] = await psp.notify(job, Date.now())
      if (!notification?.url) throw new Error('the PSP sent no notification')
      const { url, ...sent } = notification
      return () => ask(new URL(url).pathname, { method: 'POST', ...sent })
    },
    /** Waits until no queue and no object of the hub is at work. */
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
    /**
     * The CPU time (ms) that the hub takes while something goes on. Null where the machine does not
     * tell.
     */
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

/** Plays something on a stage of its own. */
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

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** A payment that is paid and goes well, as fast as it can, without a look at its parts. */
export async function hurry(stage: Stage, token: string): Promise<void> {
  const job = await stage.newJob(token)
  await stage.pay(job)
  const notify = await stage.paid(job)
  await stage.comeBack(job)
  await notify()
  await stage.read(token, job)
}
