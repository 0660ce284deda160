import { describe, expect, it } from 'vitest'
import { type Cause, type Move, CAUSES } from '../../../../src/job/rules/why/causes.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { TODOS } from '../../../../src/console/payment-why.tsx'
import { TABLE } from './table.ts'

/** What is to be done then. */
const TODO: Readonly<Record<Cause, string>> = {
  'customer-not-back':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'customer-came-back':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'part-is-due':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'money-underway': 'Wait. Nobody is to pay again.',
  'money-reserved': 'Run job pull, which captures it. Where that changes nothing, capture it at the PSP.',
  'psp-silent-at-announcement':
    "Wait, and look at the PSP's status. pos route adds an account that takes over.",
  'psp-refuses-credentials': 'Run psp check sandbox, then psp rekey sandbox.',
  'psp-knows-no-payment': 'See whether sandbox has the credentials of another account: psp check sandbox.',
  'psp-silent-at-pulls':
    "Look at the PSP's status. Run job pull to ask at once. Nobody gives the goods away yet.",
  'psp-end-unknown':
    "Look at the PSP's status. Run job pull to ask at once. Nobody gives the goods away yet.",
  paid: 'There is nothing to do.',
  'psp-refused-order':
    'The shop changes the order, or offers another payment method, and makes a new payment job.',
  'payment-failed': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-customer': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-shop': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-operator': 'To be paid after all, the shop makes a new payment job.',
  expired: 'To be paid after all, the shop makes a new payment job.',
  'expired-unannounced': 'Run psp check sandbox. The shop makes a new payment job.',
  'expired-unconfirmed': 'Look at payment tr_1 at the PSP. job pull asks once more.',
  'report-due': 'Wait some seconds, and look again.',
  'report-lost': "Wait. If it stays, look at the platform's status.",
  'receiver-answers-error':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'receiver-unreachable':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'receiver-too-slow':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-not-tried': 'Look at the log events report.not-tried of this job.',
  'report-given-up':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-unwanted':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-address-refused':
    'The shop must send another report_url with its orders, and read this job itself.',
  'paid-twice': 'Give one payment back at the PSP of the other account.',
  'paid-at-other-account': 'There is nothing to do. A refund is made at the PSP of that account.',
  'charged-back': 'The shop answers the dispute at the PSP, within its time, or accepts it.',
  'refund-failed':
    'Mend what the PSP says, then run job refund once more, or give the money back at the PSP.',
  'refund-pending': 'Wait. A refund may take days.',
  refunded: 'There is nothing to do.',
  overpaid: 'Give the rest back: job refund with --amount, or at the PSP.',
  'paid-in-part': 'Give it back, or let the shop collect the rest by a new payment job.',
  'paid-late': 'The shop sees that it still delivers, or gives the money back.',
}

describe('why a payment stands as it does', () => {
  it.each(TABLE)('%s: %s', (cause, _, job, now, happened) => {
    const answer = why(job, now)
    expect(answer).toMatchObject({ cause, move: CAUSES[cause] satisfies Move, happened, todo: TODO[cause] })
  })

  it('is told by a table that has every cause', () => {
    const told = new Set(TABLE.map(([cause]) => cause))
    expect(Object.keys(CAUSES).filter((cause) => !told.has(cause as Cause))).toEqual([])
  })

  it.each(TABLE)('is told in whole sentences, without a hole: %s, %s', (_, __, job, now) => {
    const { happened, todo, also } = why(job, now)
    for (const text of [happened, todo, ...also]) {
      expect(text).toMatch(/^[A-Z][^]*[.?"]$/)
      expect(text).not.toMatch(/undefined|null|NaN|\[object| {2}|\.\./)
    }
  })
})

it('what names a command of the CLI has words of its own in the console', () => {
  const command = /\b(job|psp|pos|report) (pull|refund|cancel|check|rekey|route|resend)\b/
  const named = TABLE.filter(([, , job, now]) => command.test(why(job, now).todo)).map(([cause]) => cause)
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(TODOS).toSorted())
})
