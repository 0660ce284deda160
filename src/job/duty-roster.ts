import { realAt } from '../contract/advance.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { readConfig } from '../platform/config.ts'
import { within } from '../platform/deadline.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { log } from '../platform/log.ts'
import type { Command } from './core/decide.ts'
import { type Duty, duties, eraseDuty } from './core/duties.ts'
import type { Instruction, Where } from './core/payment.ts'
import { type State, recalled } from './core/state.ts'

/** The shortest pause (ms) before an alarm, for duties that fail at once. */
const SOONEST = 1000
/** The alarm's delay (ms) for a duty that runs now: the alarm brings it back if memory is lost. */
const UNLESS_LOST = 30_000
/** How long (ms) a duty may be under way before it counts as lost. */
const LONGEST = 40_000
const LONGEST_PAUSE = 10 * MINUTE
/** How late (ms) the platform may ring an alarm before that counts as lost. */
const LATEST_RING = MINUTE
/** Rounds in one run: more than a test job needs whose shop lets 400 days pass. */
const MOST_ROUNDS = 200
/** Duties without an alarm: a sweep wakes the job for them, which saves the write of an alarm. */
const AT_A_SWEEP: ReadonlySet<Duty['do']> = new Set(['erase', 'purge'])

/** An object's job: its state (null without one), its clock (ms), and the one way to change it. */
export type OwnJob = {
  read: () => State | null
  now: () => number
  tell: (command: Command) => State
  /** Returns whether the index has the row that the journal says, and no later one. */
  isRowSure: (state: State) => boolean
}

/** A duty, and when (ms) the object will begin it, or was to begin it if it is under way. */
export type Planned = Pick<Duty, 'do' | 'at'>

/** A duty that may not begin before `until`. `isLent`: a queue does the work till then. */
type Held = { until: number; failures: number; isLent?: boolean }

/**
 * Performs an object's duties, and keeps its one alarm set for the next. Memory alone holds which
 * duties are under way, and which failed by a fault of the hub: if it is lost, the object does a
 * duty again, which is safe. A duty that fails stays, and waits longer each time.
 */
export function dutyRoster(
  ctx: DurableObjectState,
  env: Env,
  { read, now, isRowSure }: OwnJob,
  /** Does a duty. Returns until when (ms) a queue has it in hand, if one has. */
  perform: (duty: Duty) => Promise<number | void>,
) {
  const flights = singleFlight<void>()
  const held = new Map<string, Held>()
  /** When (ms, by the job's clock) the object last asked, by the name of the duty. */
  const asked = new Map<string, number>()
  /** When (ms) the object's alarm rings; null for none. */
  let alarm: number | null = null
  /** While the alarm rings, the platform rings it again should the object die. */
  let isRinging = false
  /** Set until the first look at the duties of an object that began with an alarm ahead. */
  let isQuiet = false
  /** Until the alarm rings, questions planned before this time (ms) count as asked. */
  let quietUntil = 0

  function open(): Duty[] {
    const state = read()
    const { retention, addressRetention } = readConfig(env)
    if (!state) return []
    if (isQuiet) [isQuiet, quietUntil] = [false, now()]
    const lastAsked = (name: string) => Math.max(quietUntil, asked.get(name) ?? 0)
    const known = recalled(
      state,
      (payment) => lastAsked(askName(payment)),
      (instruction) => lastAsked(instructionName(instruction)),
      isRowSure(state),
    )
    const all = duties(known, now(), retention)
    // A purge deletes the address too.
    const isGoing = all.some((duty) => duty.do === 'purge' && duty.at <= now())
    return isGoing ? all : [...all, ...eraseDuty(state, addressRetention)]
  }

  /** Returns when (ms) the object may begin a duty. */
  function beginAt(duty: Duty): number {
    return Math.max(duty.at, held.get(nameOf(duty))?.until ?? 0)
  }

  /** Returns whether the object is at work on a duty of this name, or a queue is. */
  function isUnderWay(name: string): boolean {
    return flights.running(name) !== undefined || held.get(name)?.isLent === true
  }

  /** Lets a duty wait: longer each time that it was done in vain, and while a queue has it. */
  function wait(name: string, lentUntil = 0): void {
    const failures = (held.get(name)?.failures ?? 0) + 1
    const pause = Math.min(SOONEST * 2 ** failures, LONGEST_PAUSE)
    held.set(name, { until: Math.max(lentUntil, now() + pause), failures, isLent: lentUntil > 0 })
  }

  async function begin(duty: Duty): Promise<void> {
    const name = nameOf(duty)
    const before = read()
    try {
      const lentUntil = await within(
        LONGEST,
        perform(duty).then((until) => until ?? 0),
      )
      if (lentUntil === null) throw new Error('it did not end in time')
      // A duty in a queue counts as failed until `release`; so does a duty that appended nothing.
      const isQuestion = duty.do === 'ask' || duty.do === 'stop' || 'instruction' in duty
      const isAsked = isQuestion && (asked.get(name) ?? 0) >= duty.at
      const isSame = read()?.entry.number === before?.entry.number
      if (lentUntil > 0 || (isSame && !isAsked)) wait(name, lentUntil)
      else held.delete(name)
    } catch (error) {
      wait(name)
      log.fault('job.duty-failed', error, { job: before?.id, duty: duty.do })
    }
  }

  /** Begins a duty, or joins it if it is under way. */
  function share(duty: Duty): Promise<void> {
    return flights.run(nameOf(duty), () => begin(duty))
  }

  /**
   * Returns when (real, ms) the alarm should ring, and how late would still do; null for never. A
   * purge and an erasure wait for the hourly sweep, unless they are late.
   */
  function nextAlarm(): { at: number; latest: number } | null {
    const state = read()
    const real = Date.now()
    const alarms = open().flatMap((duty) => {
      if (!state || (AT_A_SWEEP.has(duty.do) && realAt(state.clock, duty.at) > real)) return []
      const at = realAt(state.clock, beginAt(duty))
      if (at <= real) return [{ at: real + UNLESS_LOST, latest: real + MINUTE }]
      if (held.get(nameOf(duty))?.isLent) return [{ at, latest: at + MINUTE }]
      const exact = Math.max(at, real + SOONEST)
      return [{ at: exact, latest: exact }]
    })
    const at = Math.min(...alarms.map((each) => each.at))
    return alarms.length === 0 ? null : { at, latest: Math.min(...alarms.map(({ latest }) => latest)) }
  }

  /** Sets the alarm, unless the present one will do: setting it costs as much as an entry. */
  function setAlarm(): void {
    const next = isRinging ? null : nextAlarm()
    if (next === null) return
    if (alarm !== null && alarm > Date.now() - LATEST_RING && alarm <= next.latest) return
    alarm = next.at
    void ctx.storage.setAlarm(next.at)
  }

  /** Performs all due duties side by side, then those that they make due. Never throws. */
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
    /** Performs what is due when the alarm rings, and sets it once, for what is left. */
    async ring(): Promise<void> {
      isRinging = true
      await performDue().finally(() => (isRinging = false))
      setAlarm()
    },
    /** Performs what is due, even if the client that caused it disconnects. */
    follow(): void {
      setAlarm()
      ctx.waitUntil(performDue())
    },
    /** Performs a duty now, whenever its time is, or joins it. */
    async performNow(duty: Duty, mayBegin: () => boolean): Promise<void> {
      if (flights.running(nameOf(duty)) || mayBegin()) await share(duty)
    },
    /** Waits for a duty that is under way; for none, not at all. */
    running: (name: string): Promise<void> => flights.running(name) ?? Promise.resolve(),
    find: (name: string): Duty | undefined => open().find((one) => nameOf(one) === name),
    /** Remembers when (ms, by the job's clock) the object asked about a payment or an instruction. */
    asked: (name: string, at: number): void => void asked.set(name, at),
    isUnderWay,
    /** Lets the object begin these duties at once. */
    release: (...names: string[]): void => names.forEach((name) => held.delete(name)),
    /** Returns all duties. One that is under way keeps the time it was due at. */
    plan: (): Planned[] =>
      open().map((duty) => ({ do: duty.do, at: isUnderWay(nameOf(duty)) ? duty.at : beginAt(duty) })),
    /** Returns when (ms) the duties are due that a test job's clock moves to. */
    times: (): number[] =>
      open().flatMap((duty) => (duty.do === 'move-clock' || AT_A_SWEEP.has(duty.do) ? [] : [duty.at])),
    setAlarm,
    /** Learns when (ms) the platform's alarm will ring; null for never. */
    alarmIs(at: number | null): void {
      alarm = at
      if (at === null) quietUntil = 0
    },
    /** Begins without memory, and with the alarm that the platform has. */
    begin(at: number | null): void {
      alarm = at
      isQuiet = at !== null && at > Date.now()
    },
  }
}

export function reportName(revision: number): string {
  return `report ${revision}`
}

/** Two accounts at one PSP may call their payments the same: MultiSafepay uses the job's id. */
export function askName({ account, reference }: Where): string {
  return `ask ${account} ${reference}`
}

export function lookName(account: string): string {
  return `look ${account}`
}

export function instructionName({ id }: Pick<Instruction, 'id'>): string {
  return `instruction ${id}`
}

/** The hub wants one thing at a time of what is reserved. */
export function wishName({ account, reference }: Where): string {
  return `wish ${account} ${reference}`
}

/** Names a duty. Two duties of one name are never under way at once. */
function nameOf(duty: Duty): string {
  switch (duty.do) {
    case 'ask':
    case 'stop':
      return duty.payment ? askName(duty.payment) : 'expire'
    case 'capture':
    case 'release':
      return wishName(duty.payment)
    case 'check-capture':
    case 'check-release':
    case 'check-refund':
      return instructionName(duty.instruction)
    case 'look':
      return lookName(duty.account)
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
