import * as v from 'valibot'
import { currentRequestId } from './request-context.ts'

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

type Level = 'info' | 'warn' | 'error'

/** `request` joins the lines of one request, or of one piece of work that a queue or an alarm began. */
const write = (level: Level, event: string, fields: Fields): void =>
  console[level === 'info' ? 'log' : level]({ event, request: currentRequestId(), ...fields })

/** Log events are objects with a name: Workers Logs can be searched by each of their fields. */
export const log = {
  info: (event: string, fields: Fields = {}): void => write('info', event, fields),
  warn: (event: string, fields: Fields = {}): void => write('warn', event, fields),
  error: (event: string, fields: Fields = {}): void => write('error', event, fields),
  /** An error that was caught, told without the data it may quote. */
  fault: (event: string, error: unknown, fields: Fields = {}): void =>
    write('error', event, { ...fields, error: describeFault(error) }),
}

/**
 * What a log may say of a caught error. Some messages quote the data they are about, which may be a secret or a
 * customer's: those of Valibot, of JSON.parse, and of Drizzle, whose errors wrap the one that tells enough.
 */
export const describeFault = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  if (v.isValiError(error))
    return `not of its form: ${error.issues.map((issue) => v.getDotPath(issue)).join(', ')}`
  if (error instanceof SyntaxError) return 'SyntaxError: not readable as JSON'
  return error.cause === undefined ? (error.stack ?? error.message) : describeFault(error.cause)
}
