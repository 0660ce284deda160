import type { AccountWeather, Weather } from '../contract/hub-health.ts'
import type { Answer } from './api.ts'
import { countText } from './formats.ts'
import { Answered, Empty, StatePill, Table, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** How accounts took orders in the last 24 hours, by payment method. */
export function WeatherCard({ answer, visit }: { answer: Answer<Weather>; visit: Visit }) {
  return (
    <Answered answer={answer} name="Weather at the accounts">
      {({ accounts }) => (
        <section class="card">
          <h2>Weather at the accounts</h2>
          {accounts.length === 0 ? (
            <Empty title="No account was asked in the last 24 hours" />
          ) : (
            <Table
              label="Weather at the accounts"
              head={[
                'Account',
                'Method',
                'State',
                'Asked',
                'Missed',
                'Took',
                'Half within',
                '95 % within',
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            >
              {accounts.map((one) => (
                <Line key={`${one.account} ${one.paymentMethod}`} of={one} visit={visit} />
              ))}
            </Table>
          )}
        </section>
      )}
    </Answered>
  )
}

function Line({ of: one, visit }: { of: AccountWeather; visit: Visit }) {
  return (
    <tr>
      <td>{one.account}</td>
      <td>{one.paymentMethod === '*' ? 'others' : one.paymentMethod}</td>
      <td>
        <StatePill state={one.state} />
        {one.state !== 'well' && one.since && (
          <>
            {' since '}
            <Time at={one.since} visit={visit} />
          </>
        )}
      </td>
      <td>{countText(one.asked)}</td>
      <td>{countText(one.missed)}</td>
      <td>{one.availability === null ? '' : `${(one.availability * 100).toFixed(2)} %`}</td>
      <td>{one.p50 === null ? '' : `${one.p50} ms`}</td>
      <td>{one.p95 === null ? '' : `${one.p95} ms`}</td>
    </tr>
  )
}
