import type { PaymentJob } from '../../../contract/payment-job.ts'
import { clockTime } from './words.ts'

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
