import { UsageError } from '../usage-error.ts'
import { HubError } from './hub-error.ts'

/** A command may have worked though its answer was lost. Then its error says as well what to do about it. */
export async function withAdvice<Answer>(asking: Promise<Answer>, advice: string): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    const isRefused = error instanceof Error && / answered 4\d\d:/.test(error.message)
    if (!(error instanceof Error) || error instanceof UsageError || isRefused) throw error
    throw new HubError(`${error.message}\n${advice}`, error instanceof HubError ? error.problem : null)
  }
}
