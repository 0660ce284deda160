import { useEffect, useRef } from 'preact/hooks'
import { renderSVG } from 'uqr'
import { Actions } from './actions.tsx'
import { Failure } from './failure.tsx'
import type { Ordered } from './order-form.tsx'
import { Reports } from './reports.tsx'
import type { Session } from './session.ts'
import { Trace } from './trace.tsx'
import { useJob } from './use-job.ts'
import { standingOf } from './words.ts'

type Props = { session: Session; ordered: Ordered; onNext: () => void }

/** A payment: its link, how it stands, its trace and reports, and what can be done. */
export const Payment = ({ session, ordered: { job: created, takesReports }, onNext }: Props) => {
  const { job, refunds, error, addRefund } = useJob(session, created.paymentJob)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { words, hint, mood } = standingOf(job?.status ?? created.status, job?.payments.steps.at(-1)?.stage)
  const amount = created.payments.steps[0]?.amountDue
  return (
    <section class="card payment" aria-labelledby="payment-title">
      <div class="link">
        <h2 id="payment-title" ref={title} tabindex={-1}>
          {amount} {created.currency}, order {created.orderNumber}
        </h2>
        <img
          class="qr"
          src={qrOf(created.payUrl)}
          alt="QR code of the payment link"
          width="220"
          height="220"
        />
        <p>
          <a href={created.payUrl} target="_blank" rel="noreferrer">
            Pay in another tab
          </a>{' '}
          or scan the code.{' '}
          <a href={`/receipt/${created.paymentJob}`} target="_blank" rel="noreferrer">
            Receipt
          </a>
        </p>
      </div>
      <div class="state">
        <div role="status">
          <p class={`standing ${mood}`}>{words}</p>
          <p class="soft">{job?.error ?? hint}</p>
        </div>
        <Failure error={error} />
        {job && <Actions session={session} job={job} refunds={refunds} onRefund={addRefund} />}
        {job && <Trace job={job} />}
        <Reports session={session} job={created.paymentJob} takesReports={takesReports} />
        <p>
          <button type="button" class="button" onClick={onNext}>
            Next order
          </button>
        </p>
      </div>
    </section>
  )
}

const qrOf = (link: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 3, whiteColor: '#fff', blackColor: '#000' }))}`
