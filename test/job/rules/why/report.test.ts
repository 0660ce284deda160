import { describe } from 'vitest'
import { dispatch, resend } from '../../../../src/job/rules/reporting.ts'
import { HOUR } from '../../../../src/contract/timestamp.ts'
import { END, SOON, failed, paid, reported, tried } from '../why-jobs.ts'
import { LEARNT, told } from './sentences.ts'

const UNTOLD = `${LEARNT} The shop was not told: `

describe('a report', () => {
  const sent = dispatch(paid(), SOON)
  const until = sent.flight?.until ?? 0
  const [dead] = paid().reports.map((report) => ({ ...report, state: 'dead' as const }))
  told([
    [
      'is under way until its time is over',
      sent,
      until - 1,
      'report-due',
      `${LEARNT} The report to the shop is due since 2026-01-31T10:00:20Z, and about to be sent.`,
    ],
    [
      'is lost when its time is over',
      sent,
      until,
      'report-lost',
      `${UNTOLD}the report, which the hub sent once, was not tried in time. The queue gets it again at ${new Date(until).toISOString().slice(0, 19)}Z.`,
    ],
    [
      'that is sent again was told before, and that is no longer said',
      resend(reported(paid()), SOON + HOUR),
      SOON + HOUR,
      'report-due',
      `${LEARNT} The report to the shop is due since 2026-01-31T11:00:20Z, and about to be sent.`,
    ],
    ['is not spoken of where there is none', { ...paid(), reports: [] }, SOON, 'paid', LEARNT],
    [
      'that is given up has the last answer of the receiver',
      tried(paid(), ...Array.from({ length: 11 }, () => failed('503', 'closed'))),
      END,
      'report-given-up',
      `${UNTOLD}the report was tried 11 times, and given up at 2026-01-31T10:10:20Z. The last was: 503. Its answer began: "closed"`,
    ],
    [
      'may have been given up without a try',
      { ...paid(), reports: dead ? [dead] : [] },
      SOON,
      'report-given-up',
      `${UNTOLD}the report was tried 0 times, and given up. The last was: no try.`,
    ],
  ])
})
