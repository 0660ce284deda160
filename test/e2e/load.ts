import { type JobJson, type Pos, type Trace, Refused, choose, next } from './clients.ts'

/** What a client knows of a job. `id`: null while no 201 came. `chosen`: what the PSP confirmed. */
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

/** Creates a job, or asks for it again: the order of a number is always the same. */
export function create(pos: Pos, shop: string, { number, key }: Known): Promise<JobJson> {
  return pos.create(shop, { order_id: number, order_number: `A-${number}` }, key)
}

/** Shops at work: every second job has an Idempotency-Key, one in five is cancelled or left open. */
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
        // A connection that breaks off is what the kill is for; an answer must never be wrong.
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
    // Not every customer comes back: the PSP's notification has to do then.
    if (one.number % 3 === 0) return
    await next(back)
    one.traces.push((await pos.read(job.paymentJob)).payments.steps)
  }

  let running: Promise<void>[] = []
  const isCutOff = (one: Known) => one.id === null || (one.chosen === null && !isLeftOpen(one))
  return {
    known,
    oddities,
    /** How many jobs a kill interrupted, as far as their clients can tell. */
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
