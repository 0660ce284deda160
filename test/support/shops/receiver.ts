import { vi } from 'vitest'

export type Received = { url: string; headers: Record<string, string>; body: string }

/** Plays every address outside the hub. It records each POST, and `answer` makes the response. */
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
   * The reports of one job. Reports of other tests' jobs may still arrive, and a report about another payment
   * of the same order mentions this job too.
   */
  const of = (job: string) => received.filter(({ body }) => body.includes(`"paymentJob":"${job}"`))
  return { received, of }
}
