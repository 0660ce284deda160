import { describe, expect, it } from 'vitest'
import {
  type Alert,
  QUIET,
  type Trouble,
  WELL_FOR,
  accountTrouble,
  decideAlerts,
  messageDue,
  shopTrouble,
} from '../../src/monitoring/alert-rules.ts'
import { HOUR, MINUTE } from '../../src/contract/timestamp.ts'

const NOW = Date.UTC(2026, 0, 31, 10)

const shop = { pos: 'p1', name: 'Shop 1', failing: 0, givenUp: 0, lastOutcome: null }

describe('a shop is', () => {
  it.each([
    ['no trouble while two reports fail', 2, 0, false],
    ['trouble when three reports fail', 3, 0, true],
    ['trouble when one was given up', 0, 1, true],
    ['no trouble when all reports arrive', 0, 0, false],
  ])('%s', (_, failing, givenUp, isTrouble) => {
    expect(shopTrouble({ ...shop, failing, givenUp }) !== null).toBe(isTrouble)
  })

  it('described with its number of reports and its receiver’s last answer', () => {
    expect(shopTrouble({ ...shop, failing: 4, givenUp: 1, lastOutcome: '500' })).toEqual({
      kind: 'shop-failing',
      subject: 'p1',
      detail:
        "Reports to Shop 1 fail: 4 not delivered for more than 5 minutes, 1 given up within a day. Its receiver's last answer: 500.",
    })
  })
})

const account = {
  account: 'a1',
  state: 'working' as 'working' | 'refused' | 'unavailable' | 'unknown',
  message: null as string | null,
  failedBefore: false,
  waiting: 0,
  oldest: null as number | null,
}

describe('an account is', () => {
  it.each([
    [
      'trouble when it failed to answer twice',
      { state: 'unavailable' as const, message: 'late', failedBefore: true },
      'The PSP of a1 does not answer: late',
    ],
    ['no trouble once it works again', { failedBefore: true }, null],
    [
      'no trouble while jobs have waited for only two minutes',
      { waiting: 3, oldest: NOW - 2 * MINUTE },
      null,
    ],
    [
      'one trouble when both apply',
      { state: 'unavailable' as const, message: 'late', failedBefore: true, waiting: 3, oldest: NOW - HOUR },
      '3 payments wait to be announced at a1. The PSP of a1 does not answer: late',
    ],
  ])('%s', (_, standing, detail) => {
    expect(accountTrouble({ ...account, ...standing }, NOW)?.detail ?? null).toBe(detail)
  })
})

const trouble: Trouble = { kind: 'shop-failing', subject: 'p1', detail: 'fails' }
const open: Alert = { ...trouble, id: 'x', since: NOW, toldAt: NOW, wellSince: null, endedAt: null }
it('a trouble that comes back within ten minutes continues its alert, without a message', () => {
  const well = { ...open, wellSince: NOW }
  const again = decideAlerts(
    [well],
    [trouble],
    () => true,
    NOW + WELL_FOR - 1,
    () => 'new',
  )
  expect(again).toEqual({ begun: [], changed: [open] })
  expect(messageDue(well, NOW + MINUTE)).toBeNull()
})

describe('a message is due', () => {
  it.each<[string, Partial<Alert>, number, string | null, string | null]>([
    [
      'when an alert begins, even if all is well by then',
      { toldAt: null, wellSince: NOW },
      NOW,
      'alert.begun',
      'alert_x_begun',
    ],
    ['again after six hours', {}, NOW + QUIET, 'alert.lasts', `alert_x_lasts_${NOW}`],
    ['not while it is about to end', { wellSince: NOW + QUIET - 1 }, NOW + QUIET, null, null],
    ['when it ended before any message', { toldAt: null, endedAt: NOW }, NOW, 'alert.ended', 'alert_x_ended'],
    ['not after its end was sent', { endedAt: NOW, toldAt: NOW }, NOW + QUIET, null, null],
  ])('%s', (_, changes, now, type, id) => {
    const message = messageDue({ ...open, ...changes }, now)
    expect([message?.type ?? null, message?.id ?? null]).toEqual([type, id])
  })
})
