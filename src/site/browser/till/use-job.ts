import { useEffect, useState } from 'preact/hooks'
import type { PaymentJob } from '../../../pos-api/contract/payment-job.ts'
import type { Refund } from '../../../pos-api/contract/refund.ts'
import type { Session } from './session.ts'

/** Watches a job and its refunds for as long as the component is shown. */
export const useJob = ({ hub }: Session, id: string) => {
  const [job, setJob] = useState<PaymentJob | null>(null)
  const [refunds, setRefunds] = useState<readonly Refund[]>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    const watch = async (): Promise<void> => {
      try {
        for await (const now of hub.watch(id, { signal: stop.signal })) {
          setJob(now)
          if (now.amountPaid !== '0.00') setRefunds(await hub.refunds(id, { signal: stop.signal }))
        }
      } catch (wrong) {
        if (!stop.signal.aborted) setError(wrong)
      }
    }
    void watch()
    return () => stop.abort()
  }, [hub, id])
  return { job, refunds, error, addRefund: (refund: Refund) => setRefunds((known) => [...known, refund]) }
}
