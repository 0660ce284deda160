const real = Date.now.bind(Date)
let ahead = 0

Date.now = () => real() + ahead

/** Puts the Worker's clock on to a time (ms) that lies ahead: an alarm runs then. */
export function advanceTo(moment: number): void {
  ahead = Math.max(ahead, moment - real())
}

/** The time that really passes. */
export function now(): number {
  return real()
}
