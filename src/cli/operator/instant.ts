import { CommandError } from './operator-api.ts'

/** A time as an operator writes it, in the form that the operator API takes. */
export const instantOf = (written: unknown): string => {
  const time = typeof written === 'string' ? Date.parse(written) : Number.NaN
  if (Number.isNaN(time)) {
    throw new CommandError(`${String(written)} is no time: write 2026-01-31 or 2026-01-31T10:00Z`)
  }
  return new Date(time).toISOString()
}
