import * as v from 'valibot'
import { MoneyMove } from '../../../src/psp/answer.ts'
import { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { Access, KnownKey, Mode, SANDBOX_ACCOUNT } from '../../../src/registry/profile.ts'
import { AlertKind, AlertMessage } from '../../../src/monitoring/alert-rules.ts'
import { AskedAccounts } from '../../../src/job/rules/asked-accounts.ts'
import { storedAuditEntry } from '../../../src/audit/audit-chain.ts'
import { JobClock } from '../../../src/contract/job-clock.ts'
import {
  Action,
  Announcement,
  Attempt,
  Canceller,
  InFlightReport,
  Job,
  Report,
  Step,
} from '../../../src/job/rules/job.ts'
import { Order } from '../../../src/contract/order.ts'
import { MoneyBack, MoneyBackStep } from '../../../src/job/rules/money-back.ts'
import { OtherPayment } from '../../../src/job/rules/other-payment.ts'
import { Refund } from '../../../src/job/rules/refund.ts'
import { Stage } from '../../../src/job/rules/stage.ts'
import { Tombstone } from '../../../src/job/rules/tombstone.ts'
import { Unanswered } from '../../../src/job/rules/unanswered.ts'
import { NOW, sampleJob } from '../../support/sample-job.ts'

/** Words that are stored, or in a queue, by a release. Later releases read them all, so a word is added here, and never taken out. */
const WORDS: readonly [what: string, schema: v.GenericSchema, words: string][] = [
  ['the mode of an account', Mode, 'test live'],
  ['the status of a job', Status, 'PENDING SUCCESS FAILURE CANCELLED EXPIRED'],
  ['the action of a step', Action, 'Start Return Statuspull Expire Cancel'],
  ['the stage of a job', Stage.entries.is, 'underway authorized'],
  ['who cancelled a payment', Canceller, 'shop operator'],
  ['the state of a report', Report.entries.state, 'waiting delivered dead'],
  ['the state of a refund', Refund.entries.state, 'asking pending done failed'],
  ['what went back', MoneyBackStep.entries.action, 'Refund Chargeback'],
  ['a move of money', MoneyMove.entries.kind, 'refund refund-failed chargeback chargeback-reversed'],
  ['why a pull had no answer', Unanswered.entries.is, 'silent refused unknown'],
  ['what an alert is about', AlertKind, 'shop-failing account-failing'],
  ['the type of an alert', AlertMessage.entries.type, 'alert.begun alert.lasts alert.ended alert.test'],
]

describe('all words of a stored form are read, and no others', () => {
  it.each(WORDS)('%s', (_, schema, words) => {
    for (const word of words.split(' ')) expect(v.is(schema, word), word).toBe(true)
    for (const word of ['', 'other', words]) expect(v.is(schema, word), word).toBe(false)
  })

  it('the result of what an operator did', () => {
    const entry = {
      by: 'anna',
      role: 'operator',
      via: 'token',
      action: 'job.refund',
      subject: 'job:1',
      request: 'r1',
      before: null,
      after: null,
    }
    const readAs = (result: string) => storedAuditEntry.read({ version: 1, ...entry, result }).ok
    expect(['begun', 'done', 'refused', 'failed'].map(readAs)).toEqual([true, true, true, true])
    expect(['', 'other'].map(readAs)).toEqual([false, false])
  })

  it.each<keyof Job>(['closed', 'late'])('a mark is there or not: %s', (mark) => {
    expect(v.is(Job, { ...sampleJob(), [mark]: true })).toBe(true)
    expect(v.is(Job, { ...sampleJob(), [mark]: false })).toBe(false)
  })

  it('so it is with the marks of an announcement and of a report', () => {
    const due = (accountRefused: boolean) =>
      v.is(Announcement, { is: 'due', tries: 1, at: NOW, accountRefused })
    expect([due(true), due(false)]).toEqual([true, false])
    const report = { revision: 1, state: 'waiting', dueAt: NOW, tries: 0, attempts: [] }
    const again = (mark: boolean) => v.is(Report, { ...report, again: mark })
    expect([again(true), again(false)]).toEqual([true, false])
  })
})

it.each<[string, v.GenericSchema]>([
  ['access', Access],
  ['key', KnownKey],
  ['alert', AlertMessage],
  ['skipped account', AskedAccounts.entries.skipped.wrapped.item],
  ['clock', JobClock],
  ['try of a report', Attempt],
  ['report under way', InFlightReport],
  ['job', Job],
  ['order', Order],
  ['report', Report],
  ['step', Step],
  ['money that went back', MoneyBack],
  ['step of money', MoneyBackStep],
  ['move of money', MoneyMove],
  ['other payment', OtherPayment],
  ['refund', Refund],
  ['stage', Stage],
  ['tombstone', Tombstone],
  ['unanswered pull', Unanswered],
])('what is stored without its members is not read: %s', (_, schema) => {
  expect(v.is(schema, {})).toBe(false)
})

it('what is remembered of an API key is whose it is and when that was so, without the generations', () => {
  expect(v.is(KnownKey, { pos: 'p', asOf: 1, tokensSince: 0 })).toBe(true)
  expect(v.is(KnownKey, { asOf: 1, tokensSince: 0 })).toBe(false)
  expect(v.is(KnownKey, { pos: 'p' })).toBe(false)
})

it('the account of the sandbox is in test mode, and has nothing sealed: jobs are stored with its id', () => {
  expect(SANDBOX_ACCOUNT).toEqual({ id: 'sandbox', psp: 'sandbox', mode: 'test', sealed: '' })
})
