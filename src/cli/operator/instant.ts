import { UsageError, quoted } from '../usage-error.ts'

/** A time as an operator writes it, in the form that the operator API takes. Throws a UsageError. */
export const instantOf = (written: string): string => {
  const time = Date.parse(written)
  if (Number.isNaN(time)) {
    throw new UsageError(`A time is written 2026-01-31 or 2026-01-31T10:00Z, not ${quoted(written)}`)
  }
  return new Date(time).toISOString()
}
