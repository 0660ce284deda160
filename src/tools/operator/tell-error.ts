import { UsageError } from '../usage-error.ts'
import { HubError } from './hub-error.ts'

/**
 * Tells the operator an Error by its message, with `--json` also as one value on standard output. Gives back the exit code. Words that
 * were typed wrong are thrown on, for the program to tell, and so is what is no Error.
 */
export function tellError(error: unknown, isJson: boolean): number {
  if (!(error instanceof Error) || error instanceof UsageError) throw error
  if (isJson) console.log(JSON.stringify(errorValue(error)))
  console.error(error.message)
  return 1
}

/** What `--json` prints in place of an answer: the message, and the problem that the hub answered, if it did. */
function errorValue(error: Error) {
  return {
    error: error.message,
    ...(error instanceof HubError && error.problem ? { problem: error.problem } : {}),
  }
}
