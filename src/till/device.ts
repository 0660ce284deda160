import * as v from 'valibot'

const NAME = 'payment-hub-till-device'
const MOST_METHODS = 3
/** A till keeps so many payments whose end nobody saw; more are in "Today". */
const MOST_UNSEEN = 20

/** How a customer can pay at this till. Only the till knows of cash. */
export const Way = v.picklist(['page', 'terminal', 'cash'])
export type Way = v.InferOutput<typeof Way>

/**
 * The habits of a device, shared by all its tabs: how the cashier sold last. `methods` has the methods
 * of the last orders, newest first. `unseen` has, by point of sale, the payments whose end nobody saw before the till
 * was closed.
 */
const Habits = v.object({
  way: v.exactOptional(Way),
  methods: v.exactOptional(v.array(v.string()), []),
  terminal: v.exactOptional(v.string()),
  isMuted: v.exactOptional(v.boolean(), false),
  unseen: v.exactOptional(v.record(v.string(), v.array(v.string())), {}),
})
type Habits = v.InferOutput<typeof Habits>

/** Returns the habits of this device; none if the browser stores nothing. */
export function habits(): Habits {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), Habits), localStorage.getItem(NAME))
  } catch {
    return v.parse(Habits, {})
  }
}

export function remember(habit: Partial<Habits>): void {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...habits(), ...habit }))
  } catch {
    // This browser stores nothing.
  }
}

/** Keeps payments (their ids) for the next opening of a till of a point of sale. */
export function leaveUnseen(pos: string, jobs: readonly string[]): void {
  remember({ unseen: { ...habits().unseen, [pos]: jobs.slice(-MOST_UNSEEN) } })
}

/** Returns the payments that the last till of a point of sale left, once. */
export function takeUnseen(pos: string): readonly string[] {
  const { [pos]: jobs = [], ...unseen } = habits().unseen
  if (jobs.length > 0) remember({ unseen })
  return jobs
}

export function rememberMethod(method: string): void {
  remember({ methods: [...new Set([method, ...habits().methods])].slice(0, MOST_METHODS) })
}
