import { useState, useEffect } from 'preact/hooks'
import type { PaymentJob } from '../contract/payment-job.ts'
import type { Refund } from '../contract/instruction.ts'
import type { Session } from './session.ts'

/** Runs an action at the hub. `busy` is true meanwhile; `error` is the last error. */
export function useAction<Words extends unknown[]>(act: (...words: Words) => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (...words: Words): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await act(...words)
    } catch (wrong) {
      setError(wrong)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run: (...words: Words) => void run(...words) }
}

/** How often (ms) undecided refunds are read again: no event announces their end. */
const LOOK_EVERY = 5000

/** Watches a job and its refunds while the component is shown. */
export function useJob({ hub }: Session, id: string) {
  const [job, setJob] = useState<PaymentJob | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    const watch = async (): Promise<void> => {
      try {
        for await (const now of hub.watch(id, { signal: stop.signal })) setJob(now)
      } catch (wrong) {
        if (!stop.signal.aborted) setError(wrong)
      }
    }
    void watch()
    return () => stop.abort()
  }, [hub, id])
  return { job, error, ...useRefunds({ hub }, id, job) }
}

/** Reads the refunds of a job again after each of its changes, and until each refund has ended. */
function useRefunds({ hub }: Pick<Session, 'hub'>, id: string, job: PaymentJob | null) {
  const [refunds, setRefunds] = useState<readonly Refund[]>([])
  const [looks, setLooks] = useState(0)
  const isPaid = job !== null && job.amountPaid !== '0.00'
  const look = (): void => setLooks((count) => count + 1)

  useEffect(() => {
    if (!isPaid) return
    const stop = new AbortController()
    // After an error, the next change or the next interval reads them again.
    hub.refunds(id, { signal: stop.signal }).then(setRefunds, () => undefined)
    return () => stop.abort()
  }, [hub, id, isPaid, job, looks])

  useEffect(() => {
    if (!refunds.some(({ status }) => status === 'PENDING')) return
    const timer = setTimeout(look, LOOK_EVERY)
    return () => clearTimeout(timer)
  }, [refunds])

  return { refunds, onRefund: look }
}
