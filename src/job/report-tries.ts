/** How long (ms) a try may take: a receiver has 15 s to answer, and the rest takes some time. */
const LONGEST_TRY = 20_000

/**
 * The tries of reports that are under way, as a job's object remembers them. A queue may deliver one message twice; only the
 * first is a try, so two of one report are never under way at once. What is lost with the object's memory does no harm:
 * the newest report is sent again when an older one may have come after it.
 */
export function reportTries() {
  const underWay = new Map<number, number>()
  return {
    /** False while a try of this revision is under way. A try that was cut off ends by itself. */
    begin(revision: number, now: number): boolean {
      if ((underWay.get(revision) ?? 0) > now) return false
      underWay.set(revision, now + LONGEST_TRY)
      return true
    },
    end: (revision: number): void => void underWay.delete(revision),
  }
}
