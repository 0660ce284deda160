import { useEffect, useState } from 'preact/hooks'
import { type Checked, type ShownReport, listen } from './listen.ts'
import type { Session } from './session.ts'
import { clockTime } from './words.ts'

const FOUND: Readonly<Record<Checked, readonly [mood: string, words: string]>> = {
  right: ['good', 'signature right'],
  unchecked: ['open', 'signature not checked: no signing secret'],
  'signature-wrong': ['bad', 'signature wrong'],
  'signature-missing': ['bad', 'signature missing'],
  'too-old': ['bad', 'signed more than five minutes ago'],
  'body-unreadable': ['bad', 'body unreadable'],
}

type Props = { session: Session; job: string; takesReports: boolean }

/** Shows the reports of a job as they come. */
export function Reports({ session, job, takesReports }: Props) {
  const [reports, setReports] = useState<readonly ShownReport[]>([])
  useEffect(
    () =>
      listen(
        session,
        { job, takesReports },
        {
          report: (report) => setReports((known) => [...known, report]),
          outcome: (delivery, outcome) =>
            setReports((known) =>
              known.map((report) =>
                report.delivery === delivery ? Object.assign({}, report, { outcome }) : report,
              ),
            ),
        },
      ),
    [session, job, takesReports],
  )
  return (
    <section aria-labelledby="reports-title">
      <h3 id="reports-title">Reports</h3>
      <ul class="reports" aria-live="polite">
        {reports.map(({ delivery, at, status, checked, outcome, try: number }) => (
          <li key={delivery}>
            <span class="when">{clockTime(at)}</span> {status}
            {number > 1 && ` (try ${number})`} – <span class={FOUND[checked][0]}>{FOUND[checked][1]}</span>
            {outcome !== null && <span class="soft"> – answered {outcome}</span>}
          </li>
        ))}
      </ul>
      {reports.length === 0 && <p class="soft">None yet. One comes with each change.</p>}
    </section>
  )
}
