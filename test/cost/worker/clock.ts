const real = Date.now.bind(Date)
let ahead = 0

Date.now = () => real() + ahead

/** Moves the Worker's clock to a time (ms) in the future, at which an alarm runs. */
export function advanceTo(moment: number): void {
  ahead = Math.max(ahead, moment - real())
}

/** The real time. */
export function now(): number {
  return real()
}
