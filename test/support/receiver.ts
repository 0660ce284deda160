import { vi } from 'vitest'

export type Received = { url: string; headers: Record<string, string>; body: string }

/**
 * Plays every address outside the hub. What is POSTed there is recorded; `answer` says what it is
 * told.
 */
export function receiver(
  answer: (received: Received) => Response | Promise<Response> = () => new Response('ok'),
) {
  const received: Received[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const one = { url: request.url, headers: Object.fromEntries(request.headers), body: await request.text() }
    received.push(one)
    return answer(one)
  })
  /**
   * What was reported of one job: a report of another test's may still be under way, and a report of
   * a job that paid the same order names this one too.
   */
  const of = (job: string) => received.filter(({ body }) => body.includes(`"paymentJob":"${job}"`))
  return { received, of }
}
