import type { AuditEntry } from '../contract/audit.ts'
import { Pill, Table, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

const RESULTS: Readonly<Record<AuditEntry['result'], readonly [string, 'good' | 'bad' | 'busy' | 'still']>> =
  {
    begun: ['Begun', 'still'],
    done: ['Done', 'good'],
    refused: ['Refused', 'busy'],
    failed: ['Failed', 'bad'],
  }

/** On a phone CSS hides the `wide` cells, and shows their content in the others as `narrow`. */
export function AuditEntries({ entries, visit }: { entries: readonly AuditEntry[]; visit: Visit }) {
  return (
    <Table
      label="Audit log"
      head={
        <>
          <th scope="col" class="wide number">
            No.
          </th>
          <th scope="col" class="wide">
            Time
          </th>
          <th scope="col" class="wide">
            Who
          </th>
          <th scope="col">What</th>
          <th scope="col">Result</th>
          <th scope="col" class="wide">
            Before and after
          </th>
        </>
      }
    >
      {entries.map((entry) => (
        <tr key={entry.number}>
          <td class="wide number">{entry.number}</td>
          <td class="wide one">
            <Time at={entry.at} visit={visit} />
          </td>
          <td class="wide any">
            <Theirs>{entry.by}</Theirs>
            <span class="below soft">
              {entry.role}, by {entry.via}
            </span>
          </td>
          <td class="any">
            <code>{entry.action}</code>
            {entry.subject !== '' && (
              <span class="below soft">
                <Theirs>{entry.subject}</Theirs>
              </span>
            )}
            <span class="narrow">
              <Changes entry={entry} visit={visit} />
              <span class="soft">
                {entry.number} · <Theirs>{entry.by}</Theirs> · <Time at={entry.at} visit={visit} />
              </span>
            </span>
          </td>
          <td>
            <Pill tone={RESULTS[entry.result][1]}>{RESULTS[entry.result][0]}</Pill>
          </td>
          <td class="wide">
            <Changes entry={entry} visit={visit} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Changes({ entry: { before, after }, visit }: { entry: AuditEntry; visit: Visit }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <ul class="changed">
      {names.map((name) => (
        <li key={name}>
          <span class="soft">{name}</span>{' '}
          {before && name in before && (
            <del>
              <Told value={before[name]} visit={visit} />
            </del>
          )}{' '}
          {after && name in after && (
            <ins>
              <Told value={after[name]} visit={visit} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows a value; one that is an ISO 8601 time appears in the operator's zone. */
function Told({ value, visit }: { value: unknown; visit: Visit }) {
  return typeof value === 'string' && INSTANT.test(value) ? (
    <Time at={value} form="full" visit={visit} />
  ) : (
    <Theirs>{Array.isArray(value) ? value.join(', ') || 'none' : String(value)}</Theirs>
  )
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
