import * as v from 'valibot'
import type { EventAt, FieldsOf } from './log-events.ts'
import { currentRequestId } from './request-context.ts'

type Level = 'info' | 'warn' | 'error'

/** `request` joins the lines of one request, or of one message or alarm. */
function write(level: Level, event: string, fields: object = {}): void {
  console[level === 'info' ? 'log' : level]({ event, request: currentRequestId(), ...fields })
}

/** Workers Logs can search each field of these objects. log-events.ts lists the events. */
export const log = {
  info: <Name extends EventAt<'info'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('info', event, fields),
  warn: <Name extends EventAt<'warn'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('warn', event, fields),
  error: <Name extends EventAt<'error'>>(event: Name, ...[fields]: FieldsOf<Name>): void =>
    write('error', event, fields),
  /** An error that was caught, told without the data it may quote. */
  fault: <Name extends EventAt<'fault'>>(event: Name, error: unknown, ...[fields]: FieldsOf<Name>): void =>
    write('error', event, { ...fields, error: describeFault(error) }),
}

/**
 * What a log may say of a caught error. Some messages quote the data they are about, which may be a
 * secret or a customer's: those of Valibot, of JSON.parse, and of Drizzle, whose errors wrap the
 * one that tells enough.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (v.isValiError(error))
    return `not of its form: ${error.issues.map((issue) => v.getDotPath(issue)).join(', ')}`
  if (error instanceof SyntaxError) return 'SyntaxError: not readable as JSON'
  return error.cause === undefined ? (error.stack ?? error.message) : describeFault(error.cause)
}
