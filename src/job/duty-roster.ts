import { readConfig } from '../platform/config.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { type Wait, isSoonEnough, nextAlarm, nextWait } from './core/alarm.ts'
import { type Duty, duties, eraseDuty } from './core/duties.ts'
import { askName, instructionName, nameOf } from './core/duty-names.ts'
import { type State, recalled } from './core/state.ts'

/** How long (ms) a duty may be under way before it counts as lost. */
const LONGEST = 40_000
/** Rounds in one run: more than a test job needs whose shop lets 400 days pass. */
const MOST_ROUNDS = 200

/** The part of a job that its roster needs. `read` returns the state, `now` the time (ms) by the job's clock. */
type RosterJob = {
  read: () => State | null
  now: () => number
  /** Returns whether the index has the row that the journal says, and no later one. */
  isRowSure: (state: State) => boolean
  /** Does a duty. If a queue took it over, returns when (ms) to consider that lost. */
  perform: (duty: Duty) => Promise<number | void>
}

/**
 * Performs an object's duties, and keeps its one alarm set for the next. Only memory holds which
 * duties are under way, and which failed by a fault of the hub: if it is lost, the object does a
 * duty again, which is safe. A duty that fails stays, and waits longer each time.
 */
export type Roster = RosterJob & {
  ctx: DurableObjectState
  env: Env
  flights: ReturnType<typeof singleFlight<void>>
  /** The waits of duties that may not begin yet, by name. */
  waits: Map<string, Wait>
  /** When (ms, by the job's clock) the object last asked, by the name of the duty. */
  asked: Map<string, number>
  /** When (ms) the object's alarm rings; null for none. */
  alarm: number | null
  /** While the alarm rings, no other is needed: the platform rings it again if the object dies. */
  isRinging: boolean
  /** Set until the first look at the duties, if the object began with an alarm ahead. */
  isQuiet: boolean
  /**
   * An object without memory does not know when it last asked, and would ask again each time it starts.
   * So until its alarm rings, questions planned before this time (ms) count as asked.
   */
  quietUntil: number
}

export function dutyRoster(ctx: DurableObjectState, env: Env, job: RosterJob): Roster {
  const memory = { alarm: null, isRinging: false, isQuiet: false, quietUntil: 0 }
  return { ...job, ctx, env, flights: singleFlight(), waits: new Map(), asked: new Map(), ...memory }
}

/** Returns the job's duties, and from when (ms) on the object may begin it. */
export function pendingDuties(roster: Roster) {
  const { flights, waits } = roster
  return dutiesOf(roster).map((duty) => {
    const name = nameOf(duty)
    const { until = 0, isLent = false } = waits.get(name) ?? {}
    const isRunning = flights.running(name) !== undefined
    return { duty, from: Math.max(duty.at, until), isLent, isRunning }
  })
}

function dutiesOf(roster: Roster): Duty[] {
  const state = roster.read()
  if (!state) return []
  const { retention, addressRetention } = readConfig(roster.env)
  const now = roster.now()
  if (roster.isQuiet) [roster.isQuiet, roster.quietUntil] = [false, now]
  const lastAsked = (name: string) => Math.max(roster.quietUntil, roster.asked.get(name) ?? 0)
  const known = recalled(
    state,
    (payment) => lastAsked(askName(payment)),
    (instruction) => lastAsked(instructionName(instruction)),
    roster.isRowSure(state),
  )
  const all = duties(known, now, retention)
  // A purge deletes the address too.
  const isGoing = all.some((duty) => duty.do === 'purge' && duty.at <= now)
  return isGoing ? all : [...all, ...eraseDuty(state, addressRetention)]
}

export function findDuty(roster: Roster, name: string): Duty | undefined {
  return dutiesOf(roster).find((duty) => nameOf(duty) === name)
}

/** Returns whether the object is at work on a duty of this name, or a queue is. */
export function isUnderWay({ flights, waits }: Roster, name: string): boolean {
  return flights.running(name) !== undefined || waits.get(name)?.isLent === true
}

/** Performs all due duties side by side, then those that they make due. Never throws. */
export async function performDue(roster: Roster): Promise<void> {
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    const due = pendingDuties(roster).filter(({ from, isRunning }) => from <= roster.now() && !isRunning)
    if (due.length === 0) break
    await Promise.all(due.map(({ duty }) => share(roster, duty)))
  }
  setAlarm(roster)
}

/** Performs what is due when the alarm rings, and sets it once, for what is left. */
export async function ring(roster: Roster): Promise<void> {
  roster.isRinging = true
  await performDue(roster).finally(() => (roster.isRinging = false))
  setAlarm(roster)
}

/** Performs a duty now, whenever its time is, or joins it. */
export async function performNow(roster: Roster, duty: Duty, mayBegin: () => boolean): Promise<void> {
  if (roster.flights.running(nameOf(duty)) || mayBegin()) await share(roster, duty)
}

/** Begins a duty, or joins it if it is under way. */
function share(roster: Roster, duty: Duty): Promise<void> {
  const name = nameOf(duty)
  return roster.flights.run(name, () => begin(roster, duty, name))
}

async function begin(roster: Roster, duty: Duty, name: string): Promise<void> {
  const before = roster.read()
  const { waits } = roster
  const wait = (lentUntil: number) => waits.set(name, nextWait(waits.get(name), roster.now(), lentUntil))
  try {
    const performed = roster.perform(duty).then((until) => until ?? 0)
    const lentUntil = await within(LONGEST, performed)
    if (lentUntil === null) throw new Error('it did not end in time')
    // A duty in a queue counts as failed until the queue answers; so does a duty that appended nothing.
    const isQuestion = duty.do === 'ask' || duty.do === 'stop' || 'instruction' in duty
    const isAsked = isQuestion && (roster.asked.get(name) ?? 0) >= duty.at
    const isSame = roster.read()?.entry.number === before?.entry.number
    if (lentUntil > 0 || (isSame && !isAsked)) wait(lentUntil)
    else waits.delete(name)
  } catch (error) {
    wait(0)
    log.fault('job.duty-failed', error, { job: before?.id, duty: duty.do })
  }
}

/** Sets the alarm for the next duty, unless the present one will do. */
export function setAlarm(roster: Roster): void {
  const state = roster.read()
  if (!state || roster.isRinging) return
  const real = Date.now()
  const next = nextAlarm(pendingDuties(roster), state.clock, real)
  if (next === null || isSoonEnough(roster.alarm, next, real)) return
  roster.alarm = next.at
  void roster.ctx.storage.setAlarm(next.at)
}

/** Learns when (ms) the platform's alarm will ring; null for never. */
export function alarmIs(roster: Roster, at: number | null): void {
  roster.alarm = at
  if (at === null) roster.quietUntil = 0
}

/** Begins without memory, and with the alarm that the platform has. */
export function beginWithAlarm(roster: Roster, at: number | null): void {
  roster.alarm = at
  roster.isQuiet = at !== null && at > Date.now()
}
