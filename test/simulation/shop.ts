import type { JobJson } from '../support/hub/hub.ts'
import type { ShopFault } from './commands.ts'
import type { LateAnswers } from './late.ts'

/** How long (ms) the hub waits for a receiver. */
const PATIENCE = 15_000

/** The shop's receiver of reports. It keeps what it accepts, in the order of arrival. */
export function modelShop(
  late: LateAnswers,
  saw: (job: JobJson, headers: Headers, body: string) => Promise<void>,
) {
  let fault: { is: ShopFault; calls: number } | null = null
  const accepted: JobJson[] = []
  return {
    setFault: (is: ShopFault, calls: number) => void (fault = { is, calls }),
    clearFaults: () => void (fault = null),
    isLate: () => fault?.is === 'answers late' || fault?.is === 'is reached late',
    /** Returns the accepted reports of a job. */
    acceptedOf: (id: string) => accepted.filter(({ paymentJob }) => paymentJob === id),
    async answer(request: Request): Promise<Response> {
      const now = fault?.is ?? null
      if (fault && --fault.calls === 0) fault = null
      const body = await request.text()
      const job = JSON.parse(body) as JobJson
      await saw(job, request.headers, body)
      if (now === 'answers 500') return new Response('no', { status: 500 })
      if (now === 'redirects')
        return new Response(null, { status: 302, headers: { location: 'https://a.nl' } })
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'is reached late' && !(await late.wait(PATIENCE)))
        throw new DOMException('late', 'AbortError')
      accepted.push(job)
      if (now === 'takes the report in, but its answer is lost') throw new TypeError('network')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      return new Response('ok')
    },
  }
}
