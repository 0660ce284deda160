import fc from 'fast-check'
import * as v from 'valibot'
import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { INDEX_LEASE, toRow } from '../../../src/job/rules/job-row.ts'
import { type Action, Job, isFinal } from '../../../src/job/rules/job.ts'
import { parseAmount } from '../../../src/contract/money.ts'
import type { AnnounceOutcome, Observed, SeenStage } from '../../../src/psp/answer.ts'
import { type DeliveryOutcome, dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { represent } from '../../../src/job/rules/representation.ts'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import {
  expire,
  expireUnanswered,
  recordPull,
  planNextPull,
  recordReturn,
} from '../../../src/job/rules/transition.ts'
import { AMOUNT, ANNOUNCED, MIDDLE, NOW, REFUSED, SILENT, sampleJob } from '../../support/sample-job.ts'

type Event =
  | { tells: 'pull'; action: Action; seen: Observed }
  | { tells: 'answer'; answer: AnnounceOutcome }
  | { tells: 'delivery'; delivery: DeliveryOutcome }
  | { tells: 'return' | 'expiry' | 'silence' | 'plan' }
type Instant = { wait: number; event: Event }
type Look = (before: Job, after: Job, event: Event, now: number) => void

function take(job: Job, event: Event, now: number): Job {
  switch (event.tells) {
    case 'pull':
      return recordPull(job, event.action, event.seen, now)
    case 'answer':
      return recordAnnouncement(job, job.account, event.answer, now, MIDDLE)
    case 'delivery': {
      const sent = dispatch(job, now)
      return sent.flight ? recordDelivery(sent, sent.flight.revision, event.delivery, now, MIDDLE) : job
    }
    case 'return':
      return recordReturn(job, now)
    case 'expiry':
      return expire(job, now)
    case 'silence':
      return expireUnanswered(job, now)
    case 'plan':
      return planNextPull(job, now, MIDDLE)
  }
}

const STATUSES: Status[] = ['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']
const answers = fc.constantFrom<AnnounceOutcome>(ANNOUNCED, REFUSED, SILENT)

const pulls = fc.record({
  tells: fc.constant('pull' as const),
  action: fc.constantFrom<Action>('Return', 'Statuspull'),
  seen: fc.record({
    is: fc.constant('observed' as const),
    status: fc.constantFrom(...STATUSES),
    paid: fc.oneof(fc.constantFrom(0, AMOUNT), fc.nat(2 * AMOUNT)),
    expiresAt: fc.option(fc.integer({ min: NOW - DAY, max: NOW + 5 * DAY })),
    stage: fc.constantFrom<SeenStage>(
      { is: 'open' },
      { is: 'underway', patience: DAY },
      { is: 'authorized', patience: HOUR },
    ),
    closed: fc.boolean(),
  }),
})
const deliveries = fc.constantFrom<DeliveryOutcome>(
  { is: 'delivered', outcome: '204' },
  { is: 'failed', outcome: '500', retryAfter: null },
  { is: 'stopped', outcome: '410' },
)
const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: pulls },
  fc.record({ tells: fc.constant('answer' as const), answer: answers }),
  fc.record({ tells: fc.constant('delivery' as const), delivery: deliveries }),
  fc.record({
    tells: fc.constantFrom('return' as const, 'expiry' as const, 'silence' as const, 'plan' as const),
  }),
)
// The clock may stand still, and may be put back.
const waits = fc.oneof(fc.constant(0), fc.integer({ min: -HOUR, max: HOUR }), fc.nat(2 * DAY))
const histories = fc.array(fc.record({ wait: waits, event: events }), { maxLength: 25 })

/** Plays a history, and shows each step of it: the job before it, after it, and what came. */
function play(answer: AnnounceOutcome, history: Instant[], look: Look): void {
  let job = sampleJob(answer)
  let now = NOW
  for (const { wait, event } of history) {
    now = Math.max(NOW, now + wait)
    const next = take(job, event, now)
    look(job, next, event, now)
    job = next
  }
}

function always(look: Look): void {
  fc.assert(
    fc.property(answers, histories, (answer, history) => play(answer, history, look)),
    { numRuns: 300 },
  )
}

function minor(text: string): number {
  const parsed = parseAmount(text, 'EUR')
  return parsed.ok ? parsed.value : Number.NaN
}

/** What operators are to know of the newest report. */
function stateOfNewest({ reports }: Job): 'fails' | 'given up' | 'nothing wrong' {
  const newest = reports.at(-1)
  if (newest?.state === 'dead') return 'given up'
  return newest?.state === 'waiting' && newest.attempts.length > 0 ? 'fails' : 'nothing wrong'
}

describe('whatever comes, in whatever order', () => {
  it('the amount paid never falls', () =>
    always((before, after) => {
      expect(after.paid).toBeGreaterThanOrEqual(before.paid)
    }))

  it('nothing leaves SUCCESS, a final status gives way to SUCCESS alone, and SUCCESS means paid in full', () =>
    always((before, after) => {
      if (isFinal(before.status)) expect([before.status, 'SUCCESS']).toContain(after.status)
      if (before.status === 'SUCCESS') expect(after.status).toBe('SUCCESS')
      if (after.status === 'SUCCESS') expect(after.paid).toBeGreaterThanOrEqual(AMOUNT)
    }))

  it('the trace is only ever added to, and its last step is how the job stands', () =>
    always((before, after) => {
      expect(after.steps.slice(0, before.steps.length)).toEqual(before.steps)
      expect(after.steps.at(-1)).toMatchObject({ status: after.status, paid: after.paid })
    }))

  it('each step is later than the one before, and none later than the last update', () =>
    always((_, { created, steps, updated }) => {
      const times = [created, ...steps.map((step) => step.at)]
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
      expect(updated).toBeGreaterThanOrEqual(times.at(-1) ?? Number.NaN)
    }))

  it('due and paid make the amount in each step that the API shows, or nothing is due', () =>
    always((_, after) => {
      const shown = represent(after)
      for (const { amountDue, amountPaid } of [shown, shown.payments, ...shown.payments.steps]) {
        expect(minor(amountDue)).toBe(Math.max(AMOUNT - minor(amountPaid), 0))
      }
    }))

  it('a report is queued for each change of status or amount, and for nothing else', () =>
    always((_, { steps, reports, revision }) => {
      const stands = ['PENDING 0', ...steps.map(({ status, paid }) => `${status} ${paid}`)]
      const changes = stands.filter((now, i) => i > 0 && now !== stands[i - 1])
      expect(reports).toHaveLength(changes.length)
      expect(new Set(reports.map((report) => report.revision)).size).toBe(reports.length)
      if (reports.length > 0) expect(reports.at(-1)?.revision).toBe(revision)
    }))

  it('the index gets a new row for each report, for a payment that is announced late, and when the newest report begins to fail, arrives after all or is given up; for nothing else', () =>
    always((before, after, _, now) => {
      const reported = after.reports.length - before.reports.length
      const isLate = before.announcement.is === 'due' && after.announcement.is === 'announced'
      const isOther = isLate || stateOfNewest(before) !== stateOfNewest(after)
      expect(after.sequence - before.sequence).toBe(reported === 0 && isOther ? 1 : reported)
      if (after.sequence > before.sequence) expect(after.indexAt).toBe(now + INDEX_LEASE)
    }))

  it('the index gets a new row when it would say something else of the job, the time of its last step aside', () =>
    always((before, after) => {
      const row = toRow(before)
      const same = { ...toRow(after), updated: row.updated, sequence: row.sequence }
      if (after.sequence === before.sequence) expect(same).toEqual(row)
      else expect(same).not.toEqual(row)
    }))

  it('the same word twice is told once', () =>
    always((_, after, event, now) => {
      // A plan and a delivery are acts of the hub, and each is another.
      if (event.tells !== 'plan' && event.tells !== 'delivery') expect(take(after, event, now)).toBe(after)
    }))

  it('the job can be stored and read back', () =>
    always((_, after) => {
      expect(v.parse(Job, after)).toEqual(after)
    }))

  it('no more pull is planned once it is paid, or the word of the PSP is final for good', () =>
    always((before, after) => {
      const isOver = after.status === 'SUCCESS' || (isFinal(after.status) && after.closed)
      if (isOver && before.status !== after.status) expect(after.pullAt).toBeNull()
    }))

  it('only a job that is pending waits for money that is under way or reserved, and not for ever', () =>
    always((_, after, __, now) => {
      if (isFinal(after.status)) expect(after.stage).toBeUndefined()
      expect(after.stage?.until ?? now).toBeLessThanOrEqual(now + 90 * DAY)
    }))
})
