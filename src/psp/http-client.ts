import type { Unavailable } from '../domain/psp-answer.ts'
import { retryAfterOf } from '../http/retry-after.ts'
import { DEADLINE, within } from './deadline.ts'
import type { Fetch } from './port.ts'

export type Called = { is: 'answered'; status: number; body: unknown } | Unavailable

export const unavailable = (message: string, retryAfter: number | null = null): Unavailable => ({
  is: 'unavailable',
  message,
  ...(retryAfter === null ? {} : { retryAfter }),
})

/**
 * Calls a PSP. No answer by the deadline (eight seconds unless one is given), a 5xx, a 429, a 408 or a body that is no JSON is no answer at all. The answer
 * is rid of `secret`: a PSP may quote the key it was called with, and its words go to the shop.
 */
export const callPsp = (
  fetch: Fetch,
  url: string,
  init: RequestInit,
  secret: string,
  deadline?: AbortSignal,
): Promise<Called> => {
  const ask = async (signal: AbortSignal): Promise<Called> => {
    try {
      const response = await fetch(new Request(url, { ...init, redirect: 'manual', signal }))
      if (response.status >= 500 || response.status === 429 || response.status === 408) {
        await response.body?.cancel()
        return unavailable(
          `The payment service provider answered ${response.status}.`,
          retryAfterOf(response.headers, Date.now()),
        )
      }
      const text = (await response.text()).replaceAll(secret, '…')
      return { is: 'answered', status: response.status, body: JSON.parse(text) as unknown }
    } catch {
      return unavailable(
        signal.aborted
          ? 'The payment service provider did not answer in time.'
          : 'The payment service provider could not be reached, or its answer could not be read.',
      )
    }
  }
  return deadline ? ask(deadline) : within(DEADLINE, ask)
}

const ASKED_AGAIN_AFTER = 300

/** Asks again while the same request is under way elsewhere: its answer is ours too, once it is there. */
export const callUntilFree = async (
  call: () => Promise<Called>,
  isUnderWay: (answer: Called) => boolean,
  deadline: AbortSignal,
): Promise<Called> => {
  let answer = await call()
  while (isUnderWay(answer) && !deadline.aborted) {
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER))
    answer = await call()
  }
  return answer
}

/** 409, as most PSPs say that an idempotency key is in use. */
export const isConflict = (answer: Called): boolean => answer.is === 'answered' && answer.status === 409
