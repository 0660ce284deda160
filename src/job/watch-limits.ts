import { HOUR } from '../contract/timestamp.ts'

/** Watchers that a job has at most. */
export const MOST_WATCHERS = 250
/**
 * Those of them that are customers, whom nobody authenticates: the rest is always free for the
 * job's point of sale.
 */
export const MOST_CUSTOMERS = 200
/** How long (ms) a job is watched over one stream. */
export const LONGEST_WATCH = 8 * HOUR
