import { vi } from 'vitest'
import { ReportDelivery } from '../../src/reports/report-delivery.ts'

type Attempt = ReportDelivery['attempt']

/** Begins tries at reports in the given way: by default they are lost. The spy has the jobs and revisions. */
export function beginTries(attempt: (...begun: Parameters<Attempt>) => void | Promise<void> = () => {}) {
  return vi.spyOn(ReportDelivery.prototype, 'attempt').mockImplementation(attempt as Attempt)
}
