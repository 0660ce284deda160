import type { FailingShop } from '../contract/failing-reports.ts'
import { countText } from './formats.ts'
import { Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Lists shops that do not accept their reports; the caller supplies the `ul`. */
export function FailingShops({ shops, visit }: { shops: readonly FailingShop[]; visit: Visit }) {
  return (
    <>
      {shops.map(({ pos, name, owed, givenUp, since, lastOutcome }) => (
        <li key={pos}>
          <a href={`/console/points-of-sale/${pos}`}>
            <Theirs>{name}</Theirs>
          </a>
          <span class="soft">
            {countText(owed)} {owed === 1 ? 'report' : 'reports'} owed
            {givenUp > 0 && `, ${countText(givenUp)} given up`}
            {lastOutcome !== null && (
              <>
                , last answer{' '}
                <b>
                  <Theirs>{lastOutcome}</Theirs>
                </b>
              </>
            )}
          </span>
          <span class="since">
            since <Time at={since} visit={visit} />
          </span>
        </li>
      ))}
    </>
  )
}
