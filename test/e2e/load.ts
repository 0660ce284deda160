import { type JobJson, type Pos, type Trace, Refused, choose, next } from './clients.ts'

/**
 * A job as its client knows it. `id`: null until a 201 came. `chosen`: the outcome that the PSP confirmed.
 */
export type Known = {
  number: number
  key: string | undefined
  id: string | null
  traces: Trace[]
  chosen: 'paid' | 'canceled' | null
}

function isLeftOpen({ number }: Known): boolean {
  return number % 5 === 0
}

/** Creates a job, or repeats the request. A number always has the same order. */
export function create(pos: Pos, shop: string, { number, key }: Known): Promise<JobJson> {
  return pos.create(shop, { order_id: number, order_number: `A-${number}` }, key)
}

/** Busy shops: every second job has an Idempotency-Key, one in five is cancelled, one in five left open. */
export function openLoad(pos: Pos, shop: string, clients: number) {
  const known: Known[] = []
  const oddities: string[] = []
  let round = { over: true }

  const work = async (now: { over: boolean }) => {
    while (!now.over) {
      const number = known.length + 1
      const one: Known = {
        number,
        key: number % 2 === 0 ? crypto.randomUUID() : undefined,
        id: null,
        traces: [],
        chosen: null,
      }
      known.push(one)
      try {
        await play(one)
      } catch (error) {
        // The kill is meant to break connections, but an answer must never be wrong.
        if (error instanceof Refused) oddities.push(error.message)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  const play = async (one: Known) => {
    const job = await create(pos, shop, one)
    one.id = job.paymentJob
    one.traces.push(job.payments.steps)
    if (isLeftOpen(one)) return
    const outcome = one.number % 5 === 1 ? 'canceled' : 'paid'
    const back = await choose(job.payUrl, outcome)
    one.chosen = outcome
    // Not every customer returns. The hub then relies on the PSP's notification.
    if (one.number % 3 === 0) return
    await next(back)
    one.traces.push((await pos.read(job.paymentJob)).payments.steps)
  }

  let running: Promise<void>[] = []
  const isCutOff = (one: Known) => one.id === null || (one.chosen === null && !isLeftOpen(one))
  return {
    known,
    oddities,
    /** The number of jobs that a kill interrupted, as far as their clients know. */
    cutOff: () => known.filter(isCutOff).length,
    start: () => {
      const now = { over: false }
      round = now
      running = Array.from({ length: clients }, () => work(now))
    },
    stop: async () => {
      round.over = true
      await Promise.all(running)
    },
  }
}
