import type { Reason, Seen } from '../domain/look.ts'
import { type Pulls, type Turn, patienceFor, turnOf } from '../domain/pull-turn.ts'

/** A turn that needs no more waiting. `ticket` is handed back with the answer. */
export type TakenTurn = Exclude<Turn, { is: 'pull' } | { is: 'wait' }> | { is: 'pull'; ticket: number }

type UnderWay = NonNullable<Pulls['underWay']> & { ticket: number; done: PromiseWithResolvers<void> }

/**
 * The pulls of one job, as its object remembers them. That is lost with the object's memory, which costs one more pull.
 */
export const pullTurns = () => {
  let underWay: UnderWay | null = null
  let newest: Pulls['newest'] = null
  let tickets = 0

  const take = async (reason: Reason): Promise<TakenTurn> => {
    for (;;) {
      const turn = turnOf({ underWay, newest }, reason, Date.now())
      if (turn.is === 'wait' && underWay) await endOf(underWay)
      else if (turn.is !== 'wait' && turn.is !== 'pull') return turn
      else {
        const ticket = ++tickets
        underWay = { reason, since: Date.now(), ticket, done: Promise.withResolvers() }
        return { is: 'pull', ticket }
      }
    }
  }

  /** Keeps the answer for those who wait, and for those who come soon. One that comes too late ends no other's turn. */
  const finish = (ticket: number, seen: Seen): void => {
    if (underWay?.ticket !== ticket) return
    newest = { seen, at: Date.now() }
    underWay.done.resolve()
    underWay = null
  }

  return { take, finish }
}

/** Waits for a pull, but no longer than it may take: the Worker that makes it may have died. */
const endOf = async ({ since, reason, done }: UnderWay): Promise<void> => {
  const lost = Promise.withResolvers<void>()
  const timer = setTimeout(lost.resolve, Math.max(since + patienceFor(reason) - Date.now(), 0))
  await Promise.race([done.promise, lost.promise])
  clearTimeout(timer)
}
