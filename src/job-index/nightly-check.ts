import * as v from 'valibot'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY, isoDay } from '../contract/timestamp.ts'
import { indexFindings } from './schema.ts'
import { log } from '../platform/log.ts'
import { checkPage, repairPage } from './check-index.ts'
import { recountJobs, wrongHours } from './recount-jobs.ts'

/**
 * Queue `sweeps`: compares a page of a day's jobs, after `after`, with the index. `wrong` counts the
 * findings of earlier pages. The row of a job that just changed may be on its way, so findings count
 * only when the check has run `again`. A row that is wrong then was lost by a queue, and the check
 * repairs it.
 */
export const IndexCheck = v.object({
  check: v.string(),
  after: v.nullable(v.string()),
  wrong: v.number(),
  again: v.boolean(),
  /** Set while the hub brings all rows to this release: the check goes on with the day before. */
  edition: v.exactOptional(v.number()),
})
export type IndexCheck = v.InferOutput<typeof IndexCheck>

/** The hour (UTC) of the nightly check, and the weekday on which it checks all days. */
const [CHECKED_AT, ALL_ON] = [2, 0]
/** How many days a night checks in turn, besides the previous day. */
const SAMPLE = 3
/** Seconds until the check runs again: by then the queue has written late rows. */
const AGAIN_AFTER = 900

export function isTimeToCheck(now: number): boolean {
  return new Date(now).getUTCHours() === CHECKED_AT
}

/** Returns the days to check in the night of `now` (ms), of all days with jobs. */
export function daysToCheck(days: readonly string[], now: number): string[] {
  const past = days.filter((day) => day < isoDay(now)).toSorted()
  if (new Date(now).getUTCDay() === ALL_ON) return past
  const first = Math.floor(now / DAY) * SAMPLE
  const sample = Array.from({ length: SAMPLE }, (_, at) => past[(first + at) % past.length])
  return [...new Set([past.at(-1), ...sample])].filter((day) => day !== undefined)
}

/** Checks a page. Returns the message for the next page and its delay (s), or null at the end. */
export async function checkNext(
  env: Env,
  check: IndexCheck,
  now: number,
): Promise<{ message: IndexCheck; delaySeconds: number } | null> {
  const { check: day, after, wrong, again } = check
  const page = await checkPage(env, day, after ?? undefined)
  const lost = page.wrong.length + page.unlisted.length
  if (again && lost > 0) {
    await repairPage(env, page)
    if (check.edition === undefined) log.warn('index.repaired', { day, jobs: lost })
  }
  const found = wrong + page.unreadable.length + page.orphans.length + (again ? 0 : lost)
  if (page.next !== null) return { message: { ...check, after: page.next, wrong: found }, delaySeconds: 0 }
  if (check.edition !== undefined) await recountJobs(env, day)
  const all = found + (await wrongHours(env, day)).length
  if (all > 0 && !again)
    return { message: { check: day, after: null, wrong: 0, again: true }, delaySeconds: AGAIN_AFTER }
  await noteFindings(env.DB, day, all, now)
  return null
}

/** Records the number of findings on a day, for the alerts. Zero removes the day. */
export async function noteFindings(
  database: D1Database,
  day: string,
  wrong: number,
  now: number,
): Promise<void> {
  const db = drizzle(database)
  const row = { day, wrong, checkedAt: now }
  if (wrong === 0) await db.delete(indexFindings).where(eq(indexFindings.day, day))
  else await db.insert(indexFindings).values(row).onConflictDoUpdate({ target: indexFindings.day, set: row })
}

/** Lists the days that had findings at their last check. */
export async function wrongDays(database: D1Database): Promise<{ day: string; wrong: number }[]> {
  return drizzle(database).select().from(indexFindings).orderBy(asc(indexFindings.day))
}
