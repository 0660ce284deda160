import { expect, vi } from 'vitest'
import { type JobJson, askWith, create, order, readJob } from '../hub/hub.ts'

/** An order for a terminal, with only the fields that it needs. */
export const terminalOrder = {
  timestamp: order.timestamp,
  currency: order.currency,
  amount: order.amount,
  report_url: order.report_url,
  order_id: order.order_id,
  order_number: order.order_number,
  terminal: 'default',
}

export type TerminalJob = JobJson & { terminal: { id: string; state: string; knownBy?: string } }

/** Creates an order at a terminal. The sandbox acts on the `words` in the order's number. */
export async function orderAtTerminal(token: string, words = '', changes: object = {}): Promise<TerminalJob> {
  const response = await create(token, { ...terminalOrder, order_number: `A-7 ${words}`, ...changes })
  expect(response.status).toBe(201)
  return response.json()
}

export async function readTerminalJob(token: string, id: string): Promise<TerminalJob> {
  const job = await readJob(token, id)
  return { ...job, terminal: Object(job['terminal']) }
}

export function cancelJob(token: string, id: string): Promise<Response> {
  return askWith(token, 'POST', `/v2/paymentjobs/${id}/cancel`)
}

/** Moves the job's sandbox time on by `seconds`. */
export function advance(token: string, id: string, seconds: number): Promise<Response> {
  return askWith(token, 'POST', `/v2/paymentjobs/${id}/advance`, { seconds })
}

/**
 * Waits, in real time, until the job meets the condition. Also returns the states of its terminal on the way.
 */
export async function untilJob(
  token: string,
  id: string,
  isReached: (job: TerminalJob) => boolean = ({ status }) => status !== 'PENDING',
): Promise<{ job: TerminalJob; states: readonly string[] }> {
  const states = new Set<string>()
  const job = await vi.waitFor(
    async () => {
      const read = await readTerminalJob(token, id)
      states.add(read.terminal.state)
      if (!isReached(read)) throw new Error(`the job is ${read.status}, its terminal ${read.terminal.state}`)
      return read
    },
    { timeout: 30_000, interval: 100 },
  )
  return { job, states: [...states] }
}
