import type { Unavailable } from '../domain/psp-answer.ts'
import type { Fetch } from './port.ts'

/** How long a PSP may take to answer, in milliseconds. */
export const DEADLINE = 8000

export type Called = { is: 'answered'; status: number; body: unknown } | Unavailable

export const unavailable = (message: string): Unavailable => ({ is: 'unavailable', message })

/** Calls a PSP. No answer by the deadline, a 5xx, a 429 or a body that is no JSON is no answer at all. */
export const callPsp = async (
  fetch: Fetch,
  url: string,
  init: RequestInit,
  deadline: AbortSignal = AbortSignal.timeout(DEADLINE),
): Promise<Called> => {
  try {
    const response = await fetch(new Request(url, { ...init, redirect: 'manual', signal: deadline }))
    if (response.status >= 500 || response.status === 429 || response.status === 408) {
      await response.body?.cancel()
      return unavailable(`The payment service provider answered ${response.status}.`)
    }
    return { is: 'answered', status: response.status, body: await response.json() }
  } catch {
    return unavailable(
      deadline.aborted
        ? 'The payment service provider did not answer in time.'
        : 'The payment service provider could not be reached, or its answer could not be read.',
    )
  }
}
