import { useEffect, useRef } from 'preact/hooks'
import { renderSVG } from 'uqr'
import type { PaymentJob } from '../../../contract/payment-job.ts'
import { shownText } from '../../../platform/pages/formats.ts'
import { Actions } from './actions.tsx'
import { Failure, NoConnection } from './field.tsx'
import type { Ordered } from './order-form.tsx'
import { Reports } from './reports.tsx'
import type { Session } from './session.ts'
import { useJob } from './use-job.ts'
import { clockTime, standingOf } from './words.ts'

/** The trace of a job, which grows while one looks. */
export function Trace({ job }: { job: PaymentJob }) {
  return (
    <section>
      <h3 id="trace-title">Trace</h3>
      <div class="table" tabindex={0} role="region" aria-labelledby="trace-title">
        <table>
          <thead>
            <tr>
              {['Time', 'Action', 'Status', 'Due', 'Paid', 'Back'].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {job.payments.steps.map((step) => (
              <tr key={step.creationDate}>
                <td>{clockTime(step.creationDate)}</td>
                <td>{step.action}</td>
                <td>
                  {step.status}
                  {step.stage && ` (${step.stage})`}
                </td>
                <td>{step.amountDue}</td>
                <td>{step.amountPaid}</td>
                <td>{[step.amountRefunded, step.amountChargedBack].filter(Boolean).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

type Props = { session: Session; ordered: Ordered; onNext: () => void }

/** A payment: its link, how it stands, its trace and reports, and what can be done. */
export function Payment({ session, ordered: { job: created, takesReports }, onNext }: Props) {
  const { job, refunds, error, onRefund } = useJob(session, created.paymentJob)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const known = job ?? created
  const { words, hint, mood } = standingOf({ ...known, stage: known.payments.steps.at(-1)?.stage }, refunds)
  const amount = created.payments.steps[0]?.amountDue
  const isOpen = known.status === 'PENDING'
  return (
    <section class="card payment" aria-labelledby="payment-title">
      <div class="link">
        <h2 id="payment-title" ref={title} tabindex={-1}>
          {created.currency} {amount}
        </h2>
        <p>
          Order <bdi>{shownText(created.orderNumber)}</bdi>, {methodName(session, created.paymentMethod)}
        </p>
        {isOpen && (
          <>
            <img
              class="qr"
              src={qrOf(created.payUrl)}
              alt="QR code of the payment link"
              width="220"
              height="220"
            />
            <p>
              Scan the code, or <Away to={created.payUrl}>pay in another tab</Away>.
            </p>
          </>
        )}
        <p>
          <Away to={created.payUrl.replace('/pay/', '/receipt/')}>Receipt</Away>
        </p>
      </div>
      <div class="state">
        <NoConnection connection={session.connection} />
        <div role="status">
          <p class={`standing ${mood}`}>{words}</p>
          <p class="soft">{job?.error ?? hint}</p>
        </div>
        <Failure error={error} />
        {job && <Actions session={session} job={job} refunds={refunds} onRefund={onRefund} />}
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

function qrOf(link: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 3, whiteColor: '#fff', blackColor: '#000' }))}`
}

/** A link that opens beside the till: leaving it would forget everything. */
function Away({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

function methodName({ about }: Session, paymentMethod: string): string {
  return about.paymentMethods.find((method) => method.paymentMethod === paymentMethod)?.name ?? paymentMethod
}
