import type { AnswerFrame, ReportFrame } from '../../contract/report-frames.ts'

/**
 * What goes wrong between hub and receiver. `drop` counts tries of each report, `delay` is in
 * milliseconds.
 */
export type BadNetwork = { drop: number; delay: number; double: boolean; reorder: boolean }

/** How long (ms) a report that is to be overtaken waits for another one. */
const LONGEST_HOLD = 60_000

type Forward = (report: ReportFrame) => Promise<AnswerFrame>
type Answer = (answer: AnswerFrame) => void

/**
 * Forwards reports as a bad network would: some tries are lost, some come late, twice, or after a
 * newer one. A report that is lost has no answer. One that comes twice has the answer to the first.
 */
export function badNetwork(
  { drop, delay, double, reorder }: BadNetwork,
  forward: Forward,
  tell: (what: string, report: ReportFrame) => void,
) {
  let releaseHeld: (() => void) | null = null

  const pass = async (report: ReportFrame, answer: Answer): Promise<void> => {
    if (delay > 0) await sleep(delay)
    answer(await forward(report))
    if (!double) return
    tell('comes a second time', report)
    await forward(report)
  }

  /** Waits until another report has gone on ahead. */
  const hold = async (report: ReportFrame): Promise<void> => {
    tell('is held back until another one has passed it', report)
    const released = Promise.withResolvers<void>()
    const timer = setTimeout(released.resolve, LONGEST_HOLD)
    releaseHeld = released.resolve
    await released.promise
    clearTimeout(timer)
    if (releaseHeld === released.resolve) releaseHeld = null
  }

  return async (report: ReportFrame, answer: Answer): Promise<void> => {
    if (report.try <= drop) return tell('is lost on the way', report)
    if (!reorder) return pass(report, answer)
    if (releaseHeld === null) {
      await hold(report)
      return pass(report, answer)
    }
    const release = releaseHeld
    releaseHeld = null
    await pass(report, answer)
    release()
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
