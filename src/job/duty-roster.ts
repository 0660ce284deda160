import { MINUTE } from '../contract/timestamp.ts'
import { within } from '../platform/deadline.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { log } from '../platform/log.ts'
import { type Duty, duties } from './core/duties.ts'
import { realAt } from './core/row.ts'
import type { State } from './core/state.ts'

/** How soon (ms) an alarm may follow another: what fails at once is not tried without a pause. */
const SOONEST = 1000
/**
 * How soon (ms) the object is woken for a duty that is performed now: its memory may be lost
 * meanwhile.
 */
const UNLESS_LOST = 30_000
/** How long (ms) a duty may be under way before it counts as lost. */
const LONGEST = 40_000
const LONGEST_PAUSE = 10 * MINUTE
/** More than a test job needs whose shop lets 400 days pass. */
const MOST_ROUNDS = 200

/**
 * What an object does of its duties, as its memory has it: which are under way, and which failed by
 * a fault of the hub. Losing that means doing a duty again, which is safe. A duty that fails waits
 * longer each time; it stays owed. `perform` may say until when (ms) the duty is out of the hub's
 * hands.
 */
export function dutyRoster(
  perform: (duty: Duty) => Promise<number | void>,
  { read, now, retention }: { read: () => State | null; now: () => number; retention: () => number },
) {
  const flights = singleFlight<void>()
  /**
   * Duties that may not be begun before a time. Those that are `lent` are out of the hub's hands
   * until then.
   */
  const held = new Map<string, { until: number; failures: number; isLent?: true }>()

  function open(): Duty[] {
    const state = read()
    return state ? duties(state, now(), retention()) : []
  }

  /** When (ms) a duty can be begun. */
  function beginAt(duty: Duty): number {
    return Math.max(duty.at, held.get(nameOf(duty))?.until ?? 0)
  }

  async function begin(duty: Duty): Promise<void> {
    const name = nameOf(duty)
    const failures = held.get(name)?.failures ?? 0
    const before = read()?.entry.number
    held.set(name, { until: now() + LONGEST, failures })
    const pause = Math.min(SOONEST * 2 ** (failures + 1), LONGEST_PAUSE)
    try {
      const ended = await within(
        LONGEST,
        perform(duty).then((until) => ({ until })),
      )
      if (!ended) throw new Error('it did not end in time')
      held.delete(name)
      // What is out of the hub's hands counts as failed until `release`, and so does what changed
      // nothing.
      const isIdle = read()?.entry.number === before
      const until = Math.max(ended.until ?? 0, now() + pause)
      if (ended.until !== undefined) held.set(name, { until, failures: failures + 1, isLent: true })
      else if (isIdle) held.set(name, { until, failures: failures + 1 })
    } catch (error) {
      held.set(name, { until: now() + pause, failures: failures + 1 })
      log.fault('job.duty-failed', error, { job: read()?.id, duty: duty.do })
    }
  }

  /** Begins a duty, or joins it where it is under way. */
  function share(duty: Duty): Promise<void> {
    return flights.run(nameOf(duty), () => begin(duty))
  }

  return {
    /** Performs all that is due, side by side, and what is due because of that. Never throws. */
    async performDue(): Promise<void> {
      for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
        const due = open().filter((duty) => beginAt(duty) <= now() && !flights.running(nameOf(duty)))
        if (due.length === 0) return
        await Promise.all(due.map(share))
      }
    },
    /**
     * Performs a duty of this name before its time, or joins it; nothing where none of the kind is
     * owed.
     */
    async performNow(name: string, mayBegin = () => true): Promise<void> {
      const duty = open().find((one) => nameOf(one) === name)
      if (duty && (flights.running(name) || mayBegin())) await share(duty)
    },
    /** Keeps a duty of this name from being begun before then (ms). */
    hold(name: string, until: number): void {
      const known = held.get(name)
      held.set(name, { until: Math.max(until, known?.until ?? 0), failures: known?.failures ?? 0 })
    },
    /** A try has ended: the duty is in the hub's hands again. */
    release: (name: string): void => void held.delete(name),
    /** When (ms) all duties are due but some. */
    times: (...but: Duty['do'][]): number[] =>
      open().flatMap((duty) => (but.includes(duty.do) ? [] : [duty.at])),
    /**
     * When (real, ms) the object is to be woken, and until when an alarm is good enough; null for
     * never. A purge waits for the hourly sweep, unless it is late.
     */
    nextAlarm(): { at: number; latest: number } | null {
      const state = read()
      const real = Date.now()
      const alarms = open().flatMap((duty) => {
        if (!state || (duty.do === 'purge' && realAt(state, duty.at) > real)) return []
        const at = realAt(state, beginAt(duty))
        if (at <= real) return [{ at: real + UNLESS_LOST, latest: real + MINUTE }]
        if (held.get(nameOf(duty))?.isLent) return [{ at, latest: at + MINUTE }]
        const exact = Math.max(at, real + SOONEST)
        return [{ at: exact, latest: exact }]
      })
      const at = Math.min(...alarms.map((alarm) => alarm.at))
      return alarms.length === 0 ? null : { at, latest: Math.min(...alarms.map(({ latest }) => latest)) }
    },
  }
}

/** The name of the duty to report a revision. */
export function reportName(revision: number): string {
  return `report ${revision}`
}

/** Two duties of one name are never under way at once. */
function nameOf(duty: Duty): string {
  switch (duty.do) {
    case 'ask':
    case 'stop':
      return `ask ${duty.payment?.reference ?? ''}`
    case 'check-refund':
      return `refund ${duty.refund.id}`
    case 'look':
      return `look ${duty.account}`
    case 'report':
      return reportName(duty.revision)
    case 'row':
    case 'announce':
    case 'move-clock':
    case 'purge':
      return duty.do
  }
}
