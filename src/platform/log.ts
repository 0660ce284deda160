import * as v from 'valibot'
import type { LogEvents } from '../contract/log-events.ts'
import { currentRequestId } from './request-context.ts'

type Level = 'info' | 'warn' | 'error'

/** Writes a line. Lines of one request, message or alarm share their `request`. */
function write(level: Level, event: string, fields: object = {}): void {
  console[level === 'info' ? 'log' : level]({ event, request: currentRequestId(), ...fields })
}

/** The log. Workers Logs can search each field of its objects. */
export const log = {
  info: <Name extends EventAt<'info'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('info', event, fields),
  warn: <Name extends EventAt<'warn'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('warn', event, fields),
  error: <Name extends EventAt<'error'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('error', event, fields),
  /** Logs a caught error without the data that its message may quote. */
  fault: <Name extends EventAt<'fault'>>(event: Name, error: unknown, ...[fields]: FieldsOf<Name>): void =>
    write('error', event, { ...fields, error: describeFault(error) }),
}

const MINUTE = 60_000
/** How many came since the last line, by kind, and when (ms) that was. */
const counted = new Map<string, { count: number; at: number }>()

/**
 * Counts something that anyone can cause. If a line about it is due, returns the count since the last
 * line, else 0: this isolate logs the first at once, and after that a line a minute (`now` is in ms).
 */
export function countForLine(kind: string, now: number): number {
  const { count, at } = counted.get(kind) ?? { count: 0, at: -Infinity }
  // If the clock stepped back, the last line is in its future.
  const isDue = Math.abs(now - at) >= MINUTE
  counted.set(kind, isDue ? { count: 0, at: now } : { count: count + 1, at })
  return isDue ? count + 1 : 0
}

/**
 * Describes a caught error without its data, which may be a secret or a customer's. Valibot and
 * JSON.parse quote the data. So does Drizzle, but its errors wrap one that suffices.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (v.isValiError(error))
    return `not of its form: ${error.issues.map((issue) => v.getDotPath(issue)).join(', ')}`
  if (error instanceof SyntaxError) return 'SyntaxError: not readable as JSON'
  return error.cause === undefined ? (error.stack ?? error.message) : describeFault(error.cause)
}

type EventLevel = LogEvents[keyof LogEvents]['level']

type EventAt<Wanted extends EventLevel> = {
  [Name in keyof LogEvents]: LogEvents[Name]['level'] extends Wanted ? Name : never
}[keyof LogEvents]

/** The fields of an event, as an argument that is optional if no field is required. */
type FieldsOf<Name extends keyof LogEvents> = object extends LogEvents[Name]['fields']
  ? [fields?: LogEvents[Name]['fields']]
  : [fields: LogEvents[Name]['fields']]
