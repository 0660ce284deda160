import { vi } from 'vitest'
import type { FakePsp } from './psps/fake-psp.ts'

/** Instead of an answer of the PSP. */
export type Fault = (request: Request) => Promise<Response> | Response

type Reported = { paymentJob: string; status: string; amountPaid: string }

/** Everything outside the hub: a PSP at its own addresses, and the shops' receivers, which take every report. */
export const outsideWith = <Fake extends FakePsp>(fake: Fake) => {
  const reports: Reported[] = []
  const world = {
    fake,
    /** What the PSP was asked, as `POST /v2/payments`. */
    asked: [] as string[],
    fault: null as Fault | null,
    /** The statuses reported of one job: a report of another test's may still be under way. */
    reportsOf: (job: string) =>
      reports.filter(({ paymentJob }) => paymentJob === job).map(({ status }) => status),
    stop: () => spy.mockRestore(),
  }
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (!fake.origins.some((origin) => request.url.startsWith(origin))) {
      reports.push(await request.json<Reported>())
      return new Response('ok')
    }
    world.asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return world.fault ? world.fault(request) : fake.handle(request)
  })
  return world
}
