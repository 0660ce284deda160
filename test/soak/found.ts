import type { openReceiver } from './outside.ts'
import type { Known, Traffic } from './traffic.ts'

const END = { paid: 'SUCCESS', canceled: 'CANCELLED' } as const

/**
 * How long (ms) the hub may take to finish what it is at: what a queue lost comes again when its
 * lease is over.
 */
const PATIENCE = 180_000
const LOOK_EVERY = 3000

type Receiver = Awaited<ReturnType<typeof openReceiver>>

/**
 * What is wrong with a job that was acknowledged: it is gone, its past has changed, it ended
 * otherwise, or its shop was not told.
 */
async function wrongWith({ pos, id, trace, chosen }: Known, receiver: Receiver): Promise<string | null> {
  const { status, payments } = await pos.read(id)
  if (JSON.stringify(payments.steps.slice(0, trace.length)) !== JSON.stringify(trace))
    return `the trace of ${id} changed its past`
  if (chosen === null) return null
  if (status !== END[chosen]) return `${id} was ${chosen}, and is ${status}`
  const told = receiver.last(id)?.status
  return told === status ? null : `${id} is ${status}, and its shop was last told ${told ?? 'nothing'}`
}

/**
 * Looks for all that was acknowledged until it is there as it must be. Gives what is still wrong.
 */
export async function findAll(traffic: Traffic, receiver: Receiver): Promise<string[]> {
  const deadline = Date.now() + PATIENCE
  let left: readonly Known[] = traffic.known
  for (;;) {
    await traffic.notifyAgain()
    const wrong: string[] = []
    const again: Known[] = []
    for (const one of left) {
      const found = await wrongWith(one, receiver).catch((error: unknown) => `${one.id}: ${String(error)}`)
      if (found === null) continue
      wrong.push(found)
      again.push(one)
    }
    left = again
    if (wrong.length === 0 || Date.now() > deadline) return wrong
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
  }
}
