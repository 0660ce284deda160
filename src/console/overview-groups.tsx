import type { FigureRow, Figures } from '../contract/job-index.ts'
import { countText, durationText, rateText } from './formats.ts'
import { Empty, Table, Theirs } from './parts.tsx'

/** Shows figures by account or by method, each with a link to its payments. */
export function Groups({ title, param, figures }: { title: string; param: string; figures: Figures }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {figures.rows.length === 0 ? (
        <Empty title="No payments in this time" />
      ) : (
        <Table
          label={title}
          head={
            <>
              <th scope="col">{param === 'account' ? 'Account' : 'Method'}</th>
              <th scope="col" class="number">
                Payments
              </th>
              <th scope="col" class="number">
                Success
              </th>
              <th scope="col" class="number">
                Time to pay
              </th>
            </>
          }
        >
          {figures.rows.map((row) => (
            <GroupRow key={row.key} row={row} param={param} />
          ))}
        </Table>
      )}
    </section>
  )
}

function GroupRow({ row, param }: { row: FigureRow; param: string }) {
  return (
    <tr>
      <th scope="row" class="any">
        <a href={`/console/payments?${param}=${encodeURIComponent(row.key)}`}>
          <Theirs>{row.name}</Theirs>
        </a>
      </th>
      <td class="number">{countText(row.created)}</td>
      <td class="number">
        {row.successRate !== null && <meter min="0" max="1" value={row.successRate} aria-hidden="true" />}
        {rateText(row.successRate)}
      </td>
      <td class="number">{row.medianSeconds === null ? '–' : durationText(row.medianSeconds)}</td>
    </tr>
  )
}
