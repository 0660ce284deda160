import { vi } from 'vitest'
import { expectDocumentedReport } from './openapi/documented.ts'
import type { FakePsp } from './psps/fake-psp.ts'

/** Instead of an answer of the PSP. */
export type Fault = (request: Request) => Promise<Response> | Response

type Reported = { paymentJob: string; status: string }

/**
 * Everything outside the hub: a PSP at its own addresses, and the shops' receivers, which take
 * every report.
 */
export function outsideWith<Fake extends FakePsp>(fake: Fake) {
  const reports: (Reported & { headers: Headers; body: string })[] = []
  const world = {
    fake,
    /** What the PSP was asked, as `POST /v2/payments`. */
    asked: [] as string[],
    fault: null as Fault | null,
    /** The statuses reported of one job: a report of another test's may still be under way. */
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
      // Not of a report: a job of another file asks a PSP that is not here. It gets no answer.
      reports.push({ ...(JSON.parse(body) as Reported), headers: request.headers, body })
      return new Response('ok')
    }
    world.asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return world.fault ? world.fault(request) : fake.handle(request)
  })
  return world
}
