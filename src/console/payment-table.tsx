import type { Listed } from './api.ts'
import { Amount, Pill, StatusPill, Table, TestMark, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Payments, each with a link to its page. */
export function PaymentTable({ jobs, visit }: { jobs: readonly Listed[]; visit: Visit }) {
  return (
    <Table
      label="Payments"
      head={
        <>
          <th scope="col" class="number">
            Amount
          </th>
          <th scope="col" class="wide">
            Status
          </th>
          <th scope="col">Order</th>
          <th scope="col" class="wide">
            Shop
          </th>
          <th scope="col" class="wide">
            Method
          </th>
          <th scope="col" class="wide">
            Account
          </th>
          <th scope="col" class="wide number">
            Created
          </th>
        </>
      }
    >
      {jobs.map((job) => (
        <PaymentRow key={job.id} job={job} visit={visit} />
      ))}
    </Table>
  )
}

/** On a phone the row has two cells: what stands in the others is below. */
function PaymentRow({ job, visit }: { job: Listed; visit: Visit }) {
  return (
    <tr class="link">
      <td class="number">
        <Amount amount={job.amount} currency={job.currency} />
        <span class="narrow soft">
          <Time at={job.created} visit={visit} />
        </span>
      </td>
      <td class="wide">
        <States job={job} />
      </td>
      <td class="any">
        <a href={`/console/payments/${job.id}`} data-row>
          <Theirs>{job.orderNumber}</Theirs>
        </a>
        <span class="narrow soft">
          <Theirs>{job.posName}</Theirs>
          <States job={job} />
        </span>
      </td>
      <td class="wide any">
        <Theirs>{job.posName}</Theirs>
      </td>
      <td class="wide">
        <Theirs>{job.paymentMethod}</Theirs>
      </td>
      <td class="wide one">{job.account}</td>
      <td class="wide number">
        <Time at={job.created} visit={visit} />
      </td>
    </tr>
  )
}

function States({ job }: { job: Listed }) {
  return (
    <span class="pills">
      <StatusPill status={job.status} />
      {job.givenUp ? (
        <Pill tone="bad">Report given up</Pill>
      ) : (
        job.owedSince && <Pill tone="busy">Report owed</Pill>
      )}
      {job.account === 'sandbox' && <TestMark />}
    </span>
  )
}
