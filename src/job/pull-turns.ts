import type { PullReason, PullResult } from './rules/pull.ts'
import { type Pulls, type Turn, patienceFor, turnOf } from './rules/pull-turn.ts'
import type { OutsideCalls } from './outside-calls.ts'

/** A call of the PSP that is under way, since when (ms), and what those wait for who share it. */
export type UnderWay = { id: string; since: number; done: PromiseWithResolvers<void> }

/**
 * The pulls of one job, as its object remembers them. That is lost with the object's memory, which costs one more pull.
 */
export function pullTurns(calls: OutsideCalls) {
  let underWay: (UnderWay & { reason: PullReason }) | null = null
  let newest: Pulls['newest'] = null

  /** Waits for a turn. The same id again has the same turn: a call whose answer was lost may be repeated. */
  const take = async (id: string, reason: PullReason): Promise<Exclude<Turn, { is: 'wait' }>> => {
    for (;;) {
      if (underWay?.id === id) return { is: 'pull' }
      const turn = turnOf({ underWay, newest }, reason, Date.now())
      if (newest && reason === 'notification' && turn.is !== 'wait') newest.isNews = false
      const at = turn.is === 'pull' && OUTSIDE.has(reason) ? calls.count(Date.now()) : null
      // One too many of this hour: the alarm pulls when it is over.
      if (at !== null) return { is: 'later', at }
      if (turn.is === 'pull') underWay = { id, reason, since: Date.now(), done: Promise.withResolvers() }
      if (turn.is !== 'wait') return turn
      await orUntil(turn.until, underWay?.done.promise)
    }
  }

  /** Remembers a result for those who wait, and for those who come soon. One that comes late ends no other's turn. */
  const finish = (id: string, result: PullResult, isNews: boolean): void => {
    if (underWay?.id !== id) return
    // A pull that a notification asked for is of that notification.
    newest = { result, at: Date.now(), isNews: isNews && underWay.reason !== 'notification' }
    underWay.done.resolve()
    underWay = null
  }

  /** Whether an answer of the PSP may still come. */
  const isUnderWay = (): boolean =>
    underWay !== null && Date.now() < underWay.since + patienceFor(underWay.reason)

  return {
    take,
    finish,
    isUnderWay,
    /** Forgets the newest answer: a test job's clock was moved, so the PSP may be asked anew. */
    forget: (): void => void (newest = null),
  }
}

/** The reasons that anybody who has the address of a job can cause. */
const OUTSIDE: ReadonlySet<PullReason> = new Set(['return', 'give-up', 'wait', 'notification'])

/** Waits for a pull, but no longer than until a time (ms): the Worker that makes it may have died. */
export async function orUntil(time: number, done: Promise<void> | undefined): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, Math.max(time - Date.now(), 0))
  await Promise.race([done, over.promise])
  clearTimeout(timer)
}
