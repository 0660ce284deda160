import { mollieFake } from '../support/psps/mollie.ts'
import { serve } from '../psp/official/serve.ts'
import { cpuSeconds } from '../bench/process-usage.ts'
import type { Built } from '../e2e/built-hub.ts'
import type { Counts, Operation } from './worker/counts.ts'
import { startMeteredHub } from './metered-hub.ts'

/** What one part of a payment took. */
export type Scene = { name: string; counts: Counts; notes: string[] }

/** The scenes of one payment, and the bytes that its object holds at the end. */
export type Played = { scenes: Scene[]; bytes: number }

/** How a payment goes: paid, with the customer back before the PSP notifies or after, or never paid. */
export type Ending = 'paid' | 'notified first' | 'abandoned'

/** Begins to wait for a job that is read with some headers. What is given back ends when the till knows that it is paid. */
export type OpenTill = (
  read: (headers: Record<string, string>) => Promise<Response>,
) => Promise<() => Promise<void>>

/** The index consumer gathers messages for two seconds. */
const QUEUES_SETTLE = 4000

/**
 * Plays payments against a metered hub, its PSP (Mollie, behind a port of this machine) and the receiver of a shop.
 * Everything goes over HTTP and through the real queues; only the alarms are rung ahead of their time.
 */
const startStage = async (built: Built) => {
  const psp = mollieFake()
  const [hub, atPsp, shop] = await Promise.all([
    startMeteredHub(built),
    serve(psp.handle),
    serve(async () => new Response('ok')),
  ])
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    // workerd closes a connection that rests for as long as queues take to settle, maybe while the next request is under way.
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

  let scenes: Scene[] = []
  /** Runs a part of the payment, with the queue messages that it leads to. */
  const scene = async <Result>(name: string, run: () => Promise<Result>, settle = 0): Promise<Result> => {
    const result = await run()
    await new Promise((resolve) => setTimeout(resolve, settle))
    const taken = (await (await ask('/meter/counts')).json()) as Omit<Scene, 'name'>
    scenes.push({ name, ...taken })
    return result
  }
  const look = async (job: string) =>
    (await (await ask(`/meter/look?job=${job}`)).json()) as { alarmAt: number | null; bytes: number }

  /** Runs the job's alarms until none is left. */
  const ringToTheEnd = async (job: string): Promise<void> => {
    for (let alarm = (await look(job)).alarmAt; alarm !== null;) {
      await ask(`/meter/ring?job=${job}`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      alarm = (await look(job)).alarmAt
    }
  }

  /** Gets a token, and creates a job. */
  const begin = async (): Promise<{ token: string; job: string }> => {
    await ask('/meter/counts')
    scenes = []
    const headers = { authorization: `Bearer ${pos.apiKey}` }
    const { token } = await scene(
      'token',
      async () => (await ask('/v1/guardian', { headers })).json() as Promise<{ token: string }>,
    )
    const { paymentJob: job } = await scene(
      'create',
      () => post<{ paymentJob: string }>('/v2/paymentjobs', token, orderOf(shop.url)),
      QUEUES_SETTLE,
    )
    return { token, job }
  }

  /** Has the customer pay and come back, and the PSP notify, or the other way round. */
  const complete = async (job: string, first: 'return' | 'notification' = 'return'): Promise<void> => {
    psp.bring(job, 'paid')
    const [notification] = await psp.notify(job, Date.now())
    if (!notification?.url) throw new Error('the PSP sent no notification')
    const { url, ...sent } = notification
    const comeBack = () => ask(`/return/${job}`)
    const notify = () => ask(new URL(url).pathname, { method: 'POST', ...sent })
    if (first === 'return') {
      await scene('return and report', comeBack, QUEUES_SETTLE)
      await scene('notification', notify, QUEUES_SETTLE)
    } else {
      await scene('notification and report', notify, QUEUES_SETTLE)
      await scene('return', comeBack, QUEUES_SETTLE)
    }
  }

  const play = async (ending: Ending): Promise<Played> => {
    const { token, job } = await begin()
    await scene('pay', () => ask(`/pay/${job}`))
    if (ending !== 'abandoned') await complete(job, ending === 'paid' ? 'return' : 'notification')
    await scene('read', () =>
      ask(`/v2/paymentjobs/${job}`, { headers: { authorization: `Bearer ${token}` } }),
    )
    await scene('alarms', () => ringToTheEnd(job), QUEUES_SETTLE)
    const { bytes } = await look(job)
    await scene('forgetting, after the retention time', () => ask(`/meter/sweep?job=${job}`), QUEUES_SETTLE)
    return { scenes, bytes }
  }

  /** A payment that is paid and goes well, as fast as it can, without a look at its parts. */
  const hurry = async (token: string): Promise<void> => {
    const { paymentJob: job } = await post<{ paymentJob: string }>(
      '/v2/paymentjobs',
      token,
      orderOf(shop.url),
    )
    await ask(`/pay/${job}`)
    psp.bring(job, 'paid')
    const [notification] = await psp.notify(job, Date.now())
    await ask(`/return/${job}`)
    if (!notification?.url) throw new Error('the PSP sent no notification')
    const { url, ...sent } = notification
    await ask(new URL(url).pathname, { method: 'POST', ...sent })
    await ask(`/v2/paymentjobs/${job}`, { headers: { authorization: `Bearer ${token}` } })
  }

  /** A payment that takes so many seconds, of which the till learns by waiting for it. */
  const playWatched = async (seconds: number, openTill: OpenTill): Promise<Scene[]> => {
    const { token, job } = await begin()
    const headers = { authorization: `Bearer ${token}` }
    const heard = await scene(
      'watching',
      () => openTill((more) => ask(`/v2/paymentjobs/${job}`, { headers: { ...headers, ...more } })),
      seconds * 1000,
    )
    await complete(job)
    await scene('hearing of it', heard)
    return scenes
  }

  /** What each of so many payments takes when they are made at the same time. Its CPU time has that of the queues in it. */
  const playMany = async (count: number): Promise<{ counts: Counts; cpu: number | null }> => {
    const headers = { authorization: `Bearer ${pos.apiKey}` }
    const { token } = (await (await ask('/v1/guardian', { headers })).json()) as { token: string }
    await ask('/meter/counts')
    const before = cpuSeconds(hub.pids())
    await Promise.all(Array.from({ length: count }, () => hurry(token)))
    await new Promise((resolve) => setTimeout(resolve, QUEUES_SETTLE))
    const after = cpuSeconds(hub.pids())
    const { counts } = (await (await ask('/meter/counts')).json()) as Scene
    return {
      counts: Object.fromEntries(Object.entries(counts).map(([what, times]) => [what, times / count])),
      cpu: before === null || after === null ? null : ((after - before) * 1000) / count,
    }
  }

  /** The CPU time (ms) of the hub that a till's stream takes, of so many that are open for so many seconds. */
  const cpuOfStreams = async (count: number, seconds: number): Promise<number | null> => {
    const headers = { authorization: `Bearer ${pos.apiKey}` }
    const { token } = (await (await ask('/v1/guardian', { headers })).json()) as { token: string }
    const jobs = await Promise.all(
      Array.from({ length: count }, () =>
        post<{ paymentJob: string }>('/v2/paymentjobs', token, orderOf(shop.url)),
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, QUEUES_SETTLE))
    const before = cpuSeconds(hub.pids())
    const accept = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const open = await Promise.all(
      jobs.map(({ paymentJob }) => ask(`/v2/paymentjobs/${paymentJob}`, { headers: accept })),
    )
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const after = cpuSeconds(hub.pids())
    await Promise.all(open.map(async ({ body }) => body?.cancel()))
    return before === null || after === null ? null : ((after - before) * 1000) / count
  }

  /** By another point of sale, at another account: what a Worker remembers of the one that is counted is counted too. */
  const warmUp = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${other.apiKey}` }
    const { token } = (await (await ask('/v1/guardian', { headers })).json()) as { token: string }
    await hurry(token)
    await new Promise((resolve) => setTimeout(resolve, QUEUES_SETTLE))
  }

  const stop = async () => {
    await Promise.all([hub.stop(), atPsp.stop(), shop.stop()])
  }
  return { play, playMany, playWatched, cpuOfStreams, warmUp, stop }
}

/** Plays one payment on a hub of its own, after another one that has made what a day or an isolate needs but once. */
export const playAlone = async (built: Built, ending: Ending): Promise<Played> => {
  const stage = await startStage(built)
  try {
    await stage.warmUp()
    return await stage.play(ending)
  } finally {
    await stage.stop()
  }
}

/** Plays one payment that a till waits for, on a hub of its own. */
export const playWatched = async (built: Built, seconds: number, openTill: OpenTill): Promise<Scene[]> => {
  const stage = await startStage(built)
  try {
    await stage.warmUp()
    return await stage.playWatched(seconds, openTill)
  } finally {
    await stage.stop()
  }
}

/**
 * The CPU time (ms) that a till's stream takes, of so many that are open for so many seconds, after as many that have warmed the
 * runtime up.
 */
export const cpuOfStreams = async (built: Built, count: number, seconds: number): Promise<number | null> => {
  const stage = await startStage(built)
  try {
    await stage.cpuOfStreams(count, 0)
    return await stage.cpuOfStreams(count, seconds)
  } finally {
    await stage.stop()
  }
}

/** Payments before the measurement, so many at once, and in it: a runtime that has just started takes several times as long. */
const WARM_UP = { payments: 500, atOnce: 100 }
const MEASURED = 100

/** What a payment takes of so many that are made at the same time, on a runtime that is warm. */
export const playTogether = async (built: Built, count: number) => {
  const stage = await startStage(built)
  try {
    for (let played = 0; played < WARM_UP.payments; played += WARM_UP.atOnce)
      await stage.playMany(WARM_UP.atOnce)
    const rounds: Awaited<ReturnType<typeof stage.playMany>>[] = []
    for (let played = 0; played < MEASURED; played += count) rounds.push(await stage.playMany(count))
    const total = totalOf(rounds)
    const cpus = rounds.flatMap(({ cpu }) => (cpu === null ? [] : [cpu]))
    return {
      counts: Object.fromEntries(
        Object.entries(total).map(([what, times]) => [what, times / rounds.length]),
      ) as Counts,
      cpu: cpus.length === 0 ? null : cpus.reduce((sum, cpu) => sum + cpu, 0) / cpus.length,
    }
  } finally {
    await stage.stop()
  }
}

export const totalOf = (scenes: readonly Pick<Scene, 'counts'>[]): Counts => {
  const total: Counts = {}
  for (const { counts } of scenes) {
    for (const [operation, times] of Object.entries(counts) as [Operation, number][]) {
      total[operation] = (total[operation] ?? 0) + times
    }
  }
  return total
}

const orderOf = (shop: string) => ({
  timestamp: 1_790_000_000,
  currency: 'EUR',
  amount: '12.50',
  return_url: `${shop}/thanks?order=7`,
  report_url: `${shop}/report`,
  payment_method: 'ideal',
  order_id: '7',
  order_number: 'A-7',
  language: 'nl',
  ip_address: '203.0.113.7',
})
