import { vi } from 'vitest'
import { expectDocumentedReport } from './openapi/documented.ts'
import type { FakePsp } from './psps/fake-psp.ts'

/** Replaces the PSP's answer. */
export type Fault = (request: Request) => Promise<Response> | Response

type Reported = { paymentJob: string; status: string }

/** Everything outside the hub: a PSP at its own addresses, and shops' receivers that accept every report. */
export function outsideWith<Fake extends FakePsp>(fake: Fake) {
  const reports: (Reported & { headers: Headers; body: string })[] = []
  const world = {
    fake,
    /** The requests to the PSP, such as `POST /v2/payments`. */
    asked: [] as string[],
    fault: null as Fault | null,
    /** The reported statuses of one job. Reports of other tests' jobs may still arrive. */
    reportsOf: (job: string) =>
      reports.flatMap(({ paymentJob, status, headers, body }) => {
        if (paymentJob !== job) return []
        expectDocumentedReport(headers, body)
        return [status]
      }),
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (!fake.origins.some((origin) => request.url.startsWith(origin))) {
      const body = await request.text()
      // Any other body means that a job of another file calls a PSP that is not played here: the call fails.
      reports.push({ ...(JSON.parse(body) as Reported), headers: request.headers, body })
      return new Response('ok')
    }
    world.asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return world.fault ? world.fault(request) : fake.handle(request)
  })
  return world
}
