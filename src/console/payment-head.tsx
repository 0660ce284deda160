import type { Me } from '../contract/operators.ts'
import { ActionLink, mayDo } from './action.tsx'
import type { Payment } from './api.ts'
import { Amount, StatusPill, TestMark, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Which payment it is, how it stands, and what can be done with it. */
export function PaymentHead({ job, me, visit }: { job: Payment; me: Me; visit: Visit }) {
  const at = `/console/payments/${job.paymentJob}`
  const isPaid = Number(job.amountPaid) > 0
  return (
    <div class="subject">
      <div data-part="head">
        <p class="soft">
          <a href={`/console/points-of-sale/${job.pos}`}>
            <Theirs>{job.posName}</Theirs>
          </a>{' '}
          · <Theirs>{job.paymentMethod}</Theirs> · <Time at={job.created} visit={visit} />
        </p>
        <h1>
          <Theirs>{job.orderNumber}</Theirs>
        </h1>
        <p class="sum">
          <Amount amount={totalOf(job)} currency={job.currency} /> <StatusPill status={job.status} />
          {job.account === 'sandbox' && <TestMark />}
        </p>
      </div>
      {mayDo(me, 'support') && (
        <p class="buttons" data-part="actions">
          {job.status === 'PENDING' && (
            <ActionLink me={me} role="support" href={`${at}/pull`}>
              Ask the PSP
            </ActionLink>
          )}
          <ActionLink me={me} role="support" href={`${at}/resend`}>
            Send report again
          </ActionLink>
          {isPaid && (
            <ActionLink me={me} role="operator" href={`${at}/refund`}>
              Refund
            </ActionLink>
          )}
          {job.status === 'PENDING' && (
            <ActionLink me={me} role="operator" href={`${at}/cancel`} kind="danger">
              Cancel payment
            </ActionLink>
          )}
        </p>
      )}
    </div>
  )
}

/** What the order was for: what was paid of it and what is still due are parts of it. */
function totalOf(job: Payment): string {
  return job.payments.steps[0]
    ? sum(job.payments.steps[0].amountDue, job.payments.steps[0].amountPaid)
    : job.amountDue
}

function sum(one: string, other: string): string {
  const decimals = /\.(\d+)$/.exec(one)?.[1]?.length ?? 0
  return (Number(one) + Number(other)).toFixed(decimals)
}
