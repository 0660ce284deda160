import { type Job, isFinal } from './rules/job.ts'
import type { OutsideCalls } from './outside-calls.ts'
import { type UnderWay, orUntil } from './pull-turns.ts'

/** How long (ms) after an announcement has ended none follows that a customer causes, or the alarm. */
export const ANNOUNCEMENTS_APART = 2000
/** How long (ms) an announcement may be under way before it counts as lost: all its accounts together have 8 s. */
const LONGEST_ANNOUNCEMENT = 10_000

/** A wish to announce a job whose PSP did not answer before, under an id of its own: the customer came, or it is time. */
export type AnnounceCall = { id: string; cause: 'visit' | 'schedule' }

/** What a job's object answers to that: that the PSP is to be asked, or how the job stands. */
export type AnnounceTurn = { is: 'announce' | 'done'; job: Job }

/**
 * The announcements of one job, as its object remembers them: one at a time, and none soon after another. Those who come
 * meanwhile wait for it, and share its answer.
 */
export function announceTurns(read: () => Job | null, calls: OutsideCalls) {
  let underWay: UnderWay | null = null
  let endedAt = -Infinity

  /** Waits for a turn. The same id again has the same turn: a call whose answer was lost may be repeated. */
  const begin = async ({ id, cause }: AnnounceCall): Promise<AnnounceTurn | null> => {
    for (;;) {
      const job = read()
      if (!job) return null
      if (job.announcement.is !== 'due' || isFinal(job.status)) return { is: 'done', job }
      if (underWay?.id === id) return { is: 'announce', job }
      const now = Date.now()
      const lostAt = underWay && underWay.since + LONGEST_ANNOUNCEMENT
      if (underWay && lostAt !== null && now < lostAt) {
        await orUntil(lostAt, underWay.done.promise)
        continue
      }
      if (now < endedAt + ANNOUNCEMENTS_APART) return { is: 'done', job }
      if (cause === 'visit' && calls.count(now) !== null) return { is: 'done', job }
      underWay = { id, since: now, done: Promise.withResolvers() }
      return { is: 'announce', job }
    }
  }

  /** Lets those go on who wait. A late answer ends no other's turn. */
  const end = (id: string | undefined): void => {
    endedAt = Date.now()
    if (underWay?.id !== id) return
    underWay?.done.resolve()
    underWay = null
  }

  return { begin, end }
}
