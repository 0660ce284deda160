import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { readConfig } from '../platform/config.ts'
import { within } from '../platform/deadline.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { log } from '../platform/log.ts'
import { type Duty, duties, eraseDuty } from './core/duties.ts'
import { realAt } from './core/row.ts'
import type { State } from './core/state.ts'

/** How soon (ms) an alarm may follow another: what fails at once is not tried without a pause. */
const SOONEST = 1000
/** How soon (ms) the object is woken for a duty that is performed now: its memory may be lost. */
const UNLESS_LOST = 30_000
/** How long (ms) a duty may be under way before it counts as lost. */
const LONGEST = 40_000
const LONGEST_PAUSE = 10 * MINUTE
/** More than a test job needs whose shop lets 400 days pass. */
const MOST_ROUNDS = 200
/** Duties without an alarm: a sweep wakes the job, which spares it a write. */
const AT_A_SWEEP: ReadonlySet<Duty['do']> = new Set(['erase', 'purge'])
/** An alarm that comes sooner than needed by less than this (ms) is left as it is. */
const EARLY = HOUR

/** A duty, and when (ms) it will be begun. */
export type Planned = Pick<Duty, 'do' | 'at'>

/** A duty that may not be begun before a time. `isLent`: until then others do it. */
type Held = { until: number; failures: number; isLent?: true }

/**
 * What an object does of its duties, as its memory has it: which are under way, and which failed by
 * a fault of the hub. Losing that means doing a duty again, which is safe. A duty that fails stays,
 * and waits longer each time. The object has one alarm, for the duty that comes first.
 */
export function dutyRoster(
  ctx: DurableObjectState,
  env: Env,
  { read, now }: { read: () => State | null; now: () => number },
  /** Does a duty. May return until when (ms) others have it in hand. */
  perform: (duty: Duty) => Promise<number | void>,
) {
  const flights = singleFlight<void>()
  const held = new Map<string, Held>()
  /** When (ms) the object's alarm rings; null for none. */
  let alarm: number | null = null

  function open(): Duty[] {
    const state = read()
    const { retention, addressRetention } = readConfig(env)
    if (!state) return []
    const all = duties(state, now(), retention)
    // A purge takes the address along.
    const isGoing = all.some((duty) => duty.do === 'purge' && duty.at <= now())
    return isGoing ? all : [...all, ...eraseDuty(state, addressRetention)]
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
    const again = (): Held => {
      const pause = Math.min(SOONEST * 2 ** (failures + 1), LONGEST_PAUSE)
      return { until: now() + pause, failures: failures + 1 }
    }
    try {
      const ended = await within(
        LONGEST,
        perform(duty).then((until) => ({ until })),
      )
      if (!ended) throw new Error('it did not end in time')
      held.delete(name)
      // What others have in hand counts as failed until `release`; so does what changed nothing.
      if (ended.until !== undefined) {
        const { until, ...failed } = again()
        held.set(name, { ...failed, until: Math.max(ended.until, until), isLent: true })
      } else if (read()?.entry.number === before) held.set(name, again())
    } catch (error) {
      held.set(name, again())
      log.fault('job.duty-failed', error, { job: read()?.id, duty: duty.do })
    }
  }

  /** Begins a duty, or joins it where it is under way. */
  function share(duty: Duty): Promise<void> {
    return flights.run(nameOf(duty), () => begin(duty))
  }

  /**
   * When (real, ms) the object is to be woken, and until when an alarm is good enough; null for
   * never. A purge and an erasure wait for the hourly sweep, unless they are late.
   */
  function nextAlarm(): { at: number; latest: number } | null {
    const state = read()
    const real = Date.now()
    const alarms = open().flatMap((duty) => {
      if (!state || (AT_A_SWEEP.has(duty.do) && realAt(state, duty.at) > real)) return []
      const at = realAt(state, beginAt(duty))
      if (at <= real) return [{ at: real + UNLESS_LOST, latest: real + MINUTE }]
      if (held.get(nameOf(duty))?.isLent) return [{ at, latest: at + MINUTE }]
      const exact = Math.max(at, real + SOONEST)
      return [{ at: exact, latest: exact }]
    })
    const at = Math.min(...alarms.map((each) => each.at))
    return alarms.length === 0 ? null : { at, latest: Math.min(...alarms.map(({ latest }) => latest)) }
  }

  /** An alarm that is good enough is left: setting it costs as much as an entry. */
  function setAlarm(): void {
    const next = nextAlarm()
    if (next === null) return
    const isRight = alarm !== null && alarm <= next.latest && alarm > Math.min(next.at - EARLY, Date.now())
    if (isRight) return
    alarm = next.at
    void ctx.storage.setAlarm(next.at)
  }

  /** Performs all that is due, side by side, and what is due because of that. Never throws. */
  async function performDue(): Promise<void> {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const due = open().filter((duty) => beginAt(duty) <= now() && !flights.running(nameOf(duty)))
      if (due.length === 0) break
      await Promise.all(due.map(share))
    }
    setAlarm()
  }

  return {
    performDue,
    /** Performs what is due, although whoever caused it may have gone. */
    follow(): void {
      setAlarm()
      ctx.waitUntil(performDue())
    },
    /** Performs a duty of this name before its time, or joins it; nothing where there is none. */
    async performNow(name: string, mayBegin = () => true): Promise<void> {
      const duty = open().find((one) => nameOf(one) === name)
      if (duty && (flights.running(name) || mayBegin())) await share(duty)
    },
    /** Keeps a duty of this name from being begun before then (ms). */
    hold(name: string, until: number): void {
      const known = held.get(name)
      held.set(name, { until: Math.max(until, known?.until ?? 0), failures: known?.failures ?? 0 })
    },
    isHeld: (name: string): boolean => (held.get(name)?.until ?? 0) > now(),
    /** What was held or lent may be begun at once. */
    release: (...names: string[]): void => names.forEach((name) => held.delete(name)),
    /** All duties, the next first. */
    plan: (): Planned[] =>
      open()
        .map((duty) => ({ do: duty.do, at: beginAt(duty) }))
        .toSorted((one, other) => one.at - other.at),
    /** When (ms) all duties are due but some. */
    times: (...but: Duty['do'][]): number[] =>
      open().flatMap((duty) => (but.includes(duty.do) ? [] : [duty.at])),
    setAlarm,
    /** Learns when (ms) the platform has the alarm; null for never. */
    alarmIs: (at: number | null): void => void (alarm = at),
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
    case 'erase':
    case 'purge':
      return duty.do
  }
}
