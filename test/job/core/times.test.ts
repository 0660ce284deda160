import { isPending } from '../../../src/job/core/state.ts'
import { describe, expect, it } from 'vitest'
import { heldAt } from '../../../src/job/core/attempts.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { eraseDuty, nextReportAt } from '../../../src/job/core/duties.ts'
import { askedAgain } from '../../../src/job/core/instruct.ts'
import { accountOf, rowOf } from '../../../src/job/core/row.ts'
import { jittered, restAfter } from '../../../src/job/core/schedule.ts'
import { ofKind } from '../../../src/job/core/payment.ts'
import type { AskAnswer } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NOT_ASKED,
  NOW,
  NO_ANSWER,
  RETENTION,
  SILENT,
  TAKEN,
  TOOK,
  UNDER_WAY,
  WHERE,
  paidJob,
  playedJob,
  reserved,
  seen,
} from '../../support/jobs/played-job.ts'

/** Returns the pauses (ms) between `times` questions that all get this answer. */
function pauses(job: Job, times: number, answer: AskAnswer, where = WHERE): number[] {
  return Array.from({ length: times }, () => {
    const begun = job.now
    const next = job
      .duties()
      .find((duty) => (duty.do === 'ask' || duty.do === 'stop') && duty.payment?.account === where.account)
    if (!next) return Infinity
    job.now = Math.max(next.at, job.now)
    job.hearsOf({ ...where, why: 'duty' }, { answer })
    return job.now - begun
  })
}
/** Expects these pauses, each varied by a tenth at most. */
function expectAbout(found: readonly number[], expected: readonly number[]): void {
  expect(found.map((ms, at) => Math.abs(ms / (expected[at] ?? 0) - 1) <= 0.1)).toEqual(
    expected.map(() => true),
  )
}
const ELSEWHERE = { ...WHERE, account: 'a' }
/** A job whose account `a` was passed over, and turned out to hold a payment. */
function heldElsewhere(): Job {
  const job = playedJob(['a', SILENT], ['mollie', TOOK])
  job.tries(['a', TOOK])
  return job
}

it('a pause varies by a tenth at most, and is the same again for the same job', () => {
  const all = Array.from({ length: 1000 }, (_, at) => jittered(1000, 'job', at))
  expect(Math.round(Math.min(...all) / 10)).toBe(90)
  expect(Math.round(Math.max(...all) / 10)).toBe(110)
  expect(jittered(1000, 'job', 7)).toBe(all[7])
  expect(jittered(DAY, 'job', '12', '3')).not.toBe(jittered(DAY, 'job', '1', '23'))
})

it.each([
  [0, 0],
  [7, 0],
  [8, 2000],
  [9, 4000],
  [13, 64_000],
  [60, DAY],
])('after %i notifications without news, the next asks no question for %i ms', (count, rest) => {
  expect(restAfter(count)).toBe(rest)
})

describe('a question about an open payment', () => {
  it('comes once a day after the first day', () => {
    const job = playedJob(['mollie', { ...TOOK, expiresAt: NOW + 5 * DAY }])
    job.now += 25 * HOUR
    pauses(job, 1, seen('PENDING', 0, { expiresAt: NOW + 5 * DAY }))
    expectAbout(pauses(job, 3, seen('PENDING', 0, { expiresAt: NOW + 5 * DAY })), [DAY, DAY, DAY])
  })

  it('comes at the ages of the job while its money is under way, too', () => {
    const job = playedJob()
    job.hears('other', { answer: UNDER_WAY })
    expect(pauses(job, 3, UNDER_WAY)).toEqual([MINUTE, 2 * MINUTE, 7 * MINUTE])
    job.hears('other', { answer: seen('PENDING', 0, { stage: { is: 'authorized', patience: DAY } }) })
    expect(job.due('ask')).toBe(20 * MINUTE)
  })

  it('comes once a day to the very end, however long money may be under way: its notification may be lost', () => {
    const job = playedJob()
    const slow = seen('PENDING', 0, { stage: { is: 'underway', patience: 60 * DAY } })
    job.hears('other', { answer: slow })
    let longest = 0
    while (isPending(job.state)) longest = Math.max(longest, ...pauses(job, 1, slow))
    expect(longest).toBeLessThan(1.2 * DAY)
  })

  it('comes at the ages of the job even after a part was paid, or while the PSP is silent', () => {
    const paid = playedJob()
    paid.hears('other', { answer: seen('PENDING', 500) })
    expect(paid.due('ask')).toBe(MINUTE)
    const silent = playedJob()
    silent.untilDue('ask')
    silent.hears('duty', { answer: NO_ANSWER })
    expect(silent.due('ask')).toBe(20 * MINUTE)
  })

  it('comes soon once its time is over, whatever the PSP says, and later each time', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: NO_ANSWER })
    expectAbout(pauses(job, 3, NO_ANSWER), [MINUTE, 5 * MINUTE, 30 * MINUTE])
  })

  it('comes hourly after a cancel, until the customer acts', () => {
    const job = playedJob()
    job.now += 6 * HOUR
    job.hears('duty', { answer: seen('PENDING') })
    job.tell({ do: 'cancel', by: 'shop' })
    expect(job.owed()).toContain('stop')
    expect(pauses(job, 2, NO_ANSWER)).toEqual([HOUR, HOUR])
    job.hears('other', { answer: UNDER_WAY })
    expect(job.owed()).not.toContain('stop')
    expect(job.due('ask')).toBe(4 * HOUR)
    job.hears('duty', { answer: NO_ANSWER })
    expect(job.due('ask')).toBe(4 * HOUR)
  })
})

describe('a question after the end', () => {
  it('comes as planned if the PSP says that it does not know the payment', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    expect(pauses(job, 3, { is: 'unknown' })).toEqual([HOUR, DAY - HOUR, 2 * DAY])
  })

  it('comes as planned even if the PSP did not answer before the end', () => {
    const job = playedJob(['mollie', { ...TOOK, expiresAt: NOW + 10 * DAY }])
    job.hears('duty', { answer: NO_ANSWER })
    job.now += MINUTE
    job.append([{ is: 'expired' }])
    expect(job.due('ask')).toBe(HOUR)
  })

  it('that a notification prompts is repeated for a month if the PSP does not answer', () => {
    const job = paidJob()
    job.notified()
    const all = pauses(job, 50, NO_ANSWER).filter((pause) => pause < Infinity)
    expect(all).toHaveLength(38)
    expectAbout(all.slice(1, 9), [
      5000,
      30_000,
      2 * MINUTE,
      10 * MINUTE,
      30 * MINUTE,
      HOUR,
      3 * HOUR,
      12 * HOUR,
    ])
    expectAbout(all.slice(9), Array<number>(29).fill(DAY))
  })
})

describe('a payment that the customer should not pay any more', () => {
  it('is stopped at once if another one has just paid the order, then hourly for a day, then daily', () => {
    const job = heldElsewhere()
    job.hears('duty', { answer: seen('PENDING') })
    job.now += MINUTE
    job.hearsOf(ELSEWHERE, { answer: seen('SUCCESS') })
    expect(job.due('stop')).toBe(0)
    expect(pauses(job, 26, seen('PENDING'))).toEqual([0, ...Array<number>(24).fill(HOUR), DAY])
  })

  it('is not stopped if its money is reserved: the hub releases that', () => {
    const job = heldElsewhere()
    job.hears('other', { answer: reserved() })
    job.hearsOf(ELSEWHERE, { answer: seen('SUCCESS') })
    expect(job.owed()).toContain('release')
    expect(job.owed()).not.toContain('stop')
  })

  it('is not stopped if it is paid, although more could be paid', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { closed: false }) })
    expect(job.owed()).not.toContain('stop')
  })

  it('at an account that was passed over is stopped even if it is found after the end', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.append([{ is: 'expired' }])
    job.now += DAY
    job.tries(['a', TOOK])
    expect(job.due('stop')).toBeLessThan(0)
  })

  it.each([
    ['been cancelled', { do: 'cancel', by: 'shop' } as const],
    ['expired', { do: 'expire' } as const],
  ])(
    'is stopped at once if it is found after the job has %s: no customer was shown its address',
    (_, end) => {
      const job = playedJob(['mollie', SILENT])
      job.now += DAY
      job.tell(end)
      job.now += MINUTE
      job.tries(['mollie', TOOK])
      expect(job.due('ask', 'stop')).toBeLessThanOrEqual(0)
      job.hears('duty', { answer: NO_ANSWER })
      expect(job.due('ask', 'stop')).toBeGreaterThan(0)
    },
  )

  it('at an account that was passed over is asked about at once, then daily, for ninety days', () => {
    const job = heldElsewhere()
    job.hears('duty', { answer: UNDER_WAY })
    const all = pauses(job, 120, UNDER_WAY, ELSEWHERE).filter((pause) => pause < Infinity)
    expect(all[0]).toBe(0)
    expectAbout(all.slice(1), Array<number>(all.length - 1).fill(DAY))
    expect(all.length).toBeGreaterThan(85)
    expect(all.length).toBeLessThan(97)
  })
})

describe('a look at an account that was passed over', () => {
  const passedOver = () => playedJob(['a', SILENT], ['mollie', TOOK])

  it('comes after a minute, ten, an hour and six, then daily', () => {
    const job = passedOver()
    const found = Array.from({ length: 6 }, () => {
      const begun = job.now
      job.untilDue('look')
      job.tries(['a', SILENT])
      return job.now - begun
    })
    expectAbout(found, [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, DAY])
  })

  it('does not come before the order is announced, nor for an account whose payment the job has', () => {
    expect(playedJob(['a', SILENT]).owed().toSorted()).toEqual(['announce', 'expire', 'row'])
    const job = passedOver()
    job.tries(['a', TOOK])
    job.tries(['a', SILENT])
    expect(job.due('look')).toBeNull()
  })

  it.each([
    ['was not asked since', NOT_ASKED],
    ['was refused since', { ...SILENT, accountRefused: true as const }],
  ])('still comes if the account %s', (_, outcome) => {
    const job = passedOver()
    job.now += MINUTE
    job.tries(['a', outcome])
    expect(job.due('look')).not.toBeNull()
  })
})

const ON_ITS_WAY = { id: 're_1', own: 'r1', amount: 500, state: 'pending' } as const

describe('a refund', () => {
  it('that the PSP does not make yet is requested again after ten minutes, an hour, six and a day', () => {
    const job = paidJob()
    job.refund('r1', 500)
    const found = Array.from({ length: 4 }, () => {
      job.answered('r1', { is: 'not-yet', message: 'Not captured yet.' })
      const pause = job.due('instruct') ?? 0
      job.untilDue('instruct')
      job.append(ofKind(job.state, 'refund').map(askedAgain))
      return pause
    })
    expectAbout(found, [10 * MINUTE, HOUR, 6 * HOUR, DAY])
  })

  it('that is on its way is asked about after a minute, ten, an hour and six, then daily', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 0 }) })
    const found = Array.from({ length: 6 }, () => {
      const begun = job.now
      job.untilDue('ask')
      job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { transfers: { refund: [ON_ITS_WAY] } }) })
      return job.now - begun
    })
    expectAbout(found.slice(0, 1), [MINUTE])
    const ages = found.map((_, at) => found.slice(0, at + 1).reduce((sum, one) => sum + one, 0))
    expectAbout(ages, [MINUTE, 11 * MINUTE, HOUR, 7 * HOUR, 20 * HOUR, 32 * HOUR])
  })

  it('ends some day, as everything else does: only the purge is left', () => {
    const job = paidJob()
    job.refund('r1', 500)
    job.answered('r1', { is: 'failed', message: 'The account is closed.' })
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 0 }) })
    job.refund('r2', 500)
    job.answered('r2', DONE)
    job.now += MINUTE
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 500 }) })
    job.report('200')
    job.indexed()
    expect(job.owed()).toEqual(['ask'])
    job.now += 89 * DAY
    job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { refunded: 500 }) })
    expect(job.owed()).toEqual(['purge'])
  })
})

describe('an order that no account took', () => {
  it('is announced a last time before its end, even if the PSP wants no request for longer', () => {
    const job = playedJob(['mollie', { ...SILENT, notBefore: NOW + 2 * DAY }])
    expect([job.due('announce'), job.due('stop')]).toEqual([DAY - MINUTE, null])
  })

  it('may be announced at once at an account that was not asked yet', () => {
    const job = playedJob(['a', { ...SILENT, notBefore: NOW + DAY }])
    expect(['a', 'b'].map((account) => heldAt(job.state, account))).toEqual([NOW + DAY, 0])
  })

  it('waits for the account that may be asked first, whatever the order of the questions', () => {
    const late = { ...SILENT, notBefore: NOW + 3 * HOUR }
    const soon = { ...SILENT, notBefore: NOW + HOUR }
    expect(playedJob(['a', late], ['b', soon]).due('announce')).toBe(HOUR)
    expect(playedJob(['a', soon], ['b', late]).due('announce')).toBe(HOUR)
    expect(playedJob(['a', SILENT], ['b', late]).due('announce')).toBeLessThan(MINUTE)
  })
})

describe('a report', () => {
  it('is tried again from the end of the last try on; an overdue one is tried now', () => {
    const job = playedJob()
    expect(nextReportAt(job.state, job.now)).toBeNull()
    job.hears('other', { answer: seen('SUCCESS') })
    expect(nextReportAt(job.state, job.now + HOUR)).toBe(job.now + HOUR)
    job.report('500', 'failed', { ms: 60_000 })
    const next = nextReportAt(job.state, job.now) ?? 0
    expectAbout([next - job.now - 60_000], [5000])
  })
})

describe('a row', () => {
  it('waits for a minute after the creation, whatever happens that no operator sees', () => {
    const job = playedJob()
    job.now += 20_000
    job.hears('duty', { answer: seen('PENDING') })
    expect(job.due('row')).toBe(40_000)
  })

  it('is written again at once if the index has another than the job’s', () => {
    const job = playedJob()
    job.append([{ is: 'row-written', entry: 1, digest: 'of another release' }])
    expect(job.due('row')).toBeLessThanOrEqual(0)
  })

  it('of a test job is written at once', () => {
    const job = playedJob()
    job.state = { ...job.state, isLive: false }
    expect(job.due('row')).toBe(0)
  })

  it('is written at once if an account was passed over, and once money came', () => {
    expect(playedJob(['a', SILENT], ['mollie', TOOK]).due('row')).toBe(0)
    const job = playedJob()
    job.hears('other', { answer: seen('PENDING', 500) })
    expect(job.due('row')).toBe(0)
  })
})

describe('the personal data of a job', () => {
  it('is erased at its time after the creation, in real time, and once', () => {
    const { state } = playedJob()
    const order = { ...state.order, ipAddress: '203.0.113.7' }
    expect(eraseDuty(state, DAY)).toEqual([])
    expect(eraseDuty({ ...state, order }, DAY)).toEqual([{ do: 'erase', at: NOW + DAY }])
    const clock = { ...state.clock, offset: HOUR }
    expect(eraseDuty({ ...state, order, clock }, DAY)).toEqual([{ do: 'erase', at: NOW + DAY + HOUR }])
  })

  it('is purged in real time, even if its clock is ahead', () => {
    const job = paidJob()
    job.report('200')
    job.tell({ do: 'let-time-pass', to: HOUR })
    job.tell({ do: 'move-clock', next: job.now + HOUR })
    job.indexed()
    expect(job.due('purge')).toBe(RETENTION + HOUR)
  })
})

describe('a job whose clock a test moves', () => {
  it('shows operators no earlier time than it has shown, even if the real clock steps back', () => {
    const job = playedJob()
    job.now += HOUR
    job.hears('other', { answer: UNDER_WAY })
    const seenAt = [rowOf(job.state).updated]
    for (const hours of [1, 2]) {
      job.tell({ do: 'let-time-pass', to: hours * HOUR })
      job.tell({ do: 'move-clock', next: job.now + HOUR })
      // The real clock shows three seconds less.
      job.now += HOUR - 3000
      job.notified({ claims: 'FAILURE' })
      job.hears('other', { answer: seen(hours === 1 ? 'PENDING' : 'SUCCESS') })
      seenAt.push(rowOf(job.state).updated)
    }
    expect(seenAt).toEqual(seenAt.toSorted((one, other) => one - other))
  })
})

/** The PSP refuses the account because of a wrong key. */
const REFUSED = { ...NO_ANSWER, accountRefused: true as const }

// Each limit holds to the millisecond: `edge` is the last instant on one side of it.
describe('to the millisecond', () => {
  it('a question within the last tenth of the time to pay waits for its end', () => {
    const after = (more: number) => {
      const until = NOW + (12 * HOUR) / 0.9 + more
      const job = playedJob(['mollie', { ...TOOK, expiresAt: until - MINUTE }])
      job.now += 6 * HOUR
      job.hears('back', { answer: seen('PENDING', 0, { expiresAt: until - MINUTE }) })
      return (job.due('ask', 'stop') ?? 0) + job.now - NOW
    }
    expect([after(0), after(-10)]).toEqual([12 * HOUR, (12 * HOUR) / 0.9 - 10])
  })

  it('an order is announced again until half a minute before the last round', () => {
    const edge = NOW + DAY - MINUTE - 30_000
    const after = (asked: number) => {
      const job = playedJob(['mollie', SILENT])
      job.now = asked
      job.tries(['mollie', SILENT])
      return job.due('announce')
    }
    expect([after(edge), after(edge + 1)]).toEqual([30_000, null])
  })

  it('a question half a minute early replaces the planned one', () => {
    const job = playedJob()
    job.now += 30_000
    job.hears('back', { answer: seen('PENDING') })
    expect(job.due('ask')).toBe(2.5 * MINUTE)
  })

  it('a question at the very end of the time to pay is the first of those at the end', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: NO_ANSWER })
    expectAbout([job.due('stop') ?? 0], [MINUTE])
  })

  it('a question counts at the end once nine tenths of its pause are over', () => {
    const after = (pause: number) => {
      const job = playedJob()
      job.now += DAY + MINUTE
      job.hears('duty', { answer: NO_ANSWER })
      job.now += pause
      job.hears('duty', { answer: NO_ANSWER })
      return job.due('stop') ?? 0
    }
    expect(after(54_000)).toBeGreaterThan(4 * MINUTE)
    expect(after(53_999)).toBeLessThan(MINUTE)
  })

  it('a question that others ask at the end of the plan ends no job, and the next is half a day later', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    for (let questions = 0; questions < 12; questions++) {
      job.untilDue('ask', 'stop')
      job.hears('other', { answer: NO_ANSWER })
    }
    expect(job.status()).toBe('PENDING')
    expectAbout([job.due('stop') ?? 0], [12 * HOUR])
    job.untilDue('stop')
    job.hears('duty', { answer: NO_ANSWER })
    expect(job.status()).toBe('EXPIRED')
  })

  it('a prompted question counts once nine tenths of its pause are over', () => {
    const after = (pause: number) => {
      const job = playedJob()
      job.notified()
      for (const wait of [0, pause]) {
        job.now += wait
        job.hears('duty', { answer: NO_ANSWER })
      }
      return job.due('ask') ?? 0
    }
    expect(after(4500)).toBeGreaterThan(20_000)
    expect(after(4499)).toBeLessThan(6000)
  })

  it('a job whose account is refused for ninety days ends then', () => {
    const after = (days: number) => {
      const job = playedJob()
      job.now += DAY + MINUTE + days
      job.hears('duty', { answer: REFUSED })
      return job.status()
    }
    expect([after(90 * DAY - 1), after(90 * DAY)]).toEqual(['PENDING', 'EXPIRED'])
  })

  it('money that is still under way at the end of its time is waited for no more', () => {
    const after = (wait: number) => {
      const job = playedJob()
      job.hears('other', { answer: UNDER_WAY })
      job.now += wait
      job.hears('duty', { answer: UNDER_WAY })
      return job.status()
    }
    expect([after(14 * DAY - 1), after(14 * DAY)]).toEqual(['PENDING', 'EXPIRED'])
  })

  it('an account that is refused is asked hourly for a week of questions, then daily', () => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: REFUSED })
    expectAbout(pauses(job, 168, REFUSED).slice(-2), [54 * MINUTE, DAY])
  })

  it('the hub asks a silent PSP for less than ninety days after the end', () => {
    const edge = 90 * DAY - jittered(54 * MINUTE, WHERE.reference, 1)
    const after = (asked: number) => {
      const job = playedJob()
      job.append([{ is: 'expired' }])
      job.now += asked
      job.hears('duty', { answer: NO_ANSWER })
      return job.due('ask')
    }
    expect([after(edge - 1), after(edge)]).toEqual([90 * DAY - edge, null])
  })

  it('a payment is stopped for less than ninety days if another one paid the order', () => {
    const after = (asked: number) => {
      const job = heldElsewhere()
      job.hearsOf(ELSEWHERE, { answer: seen('SUCCESS') })
      job.now += asked
      job.hears('duty', { answer: seen('PENDING') })
      return job.due('stop')
    }
    expect([after(89 * DAY - 1), after(89 * DAY)]).toEqual([DAY, null])
  })

  it('a payment at an account that was passed over is asked about until ninety days are over', () => {
    const after = (asked: number) => {
      const job = heldElsewhere()
      job.now = NOW + asked
      job.hearsOf({ ...ELSEWHERE, why: 'duty' }, { answer: NO_ANSWER })
      return pauses(job, 1, NO_ANSWER, ELSEWHERE)
    }
    expectAbout(after(90 * DAY), [DAY])
    expect(after(90 * DAY + 1)).toEqual([Infinity])
  })

  it('a try within half a minute of the creation is no look at the account', () => {
    const after = (asked: number) => {
      const job = playedJob(['a', SILENT], ['mollie', TOOK])
      job.now += asked
      job.tries(['a', SILENT])
      return [job.due('look') ?? 0]
    }
    expectAbout(after(30_000), [MINUTE])
    expectAbout(after(30_001), [10 * MINUTE])
  })

  it('the last look at an account comes thirty days after the creation', () => {
    const { id } = playedJob().state
    const pause = jittered(10 * MINUTE, id, 'a', 1)
    const after = (asked: number) => {
      const job = playedJob(['a', SILENT], ['mollie', TOOK])
      job.now += asked
      job.tries(['a', SILENT])
      return job.due('look')
    }
    expect([after(30 * DAY - pause), after(30 * DAY - pause + 1)]).toEqual([pause, null])
  })

  it('a refund that the PSP took is given up ninety days after its request, one that it did not after fourteen', () => {
    const endOf = (answer: Parameters<Job['answered']>[1]) => {
      const job = paidJob()
      job.refund('r1', 500)
      const { now } = job
      job.answered('r1', answer)
      job.now += 13 * DAY
      return now + (job.due('instruct') ?? 0) + 13 * DAY - now
    }
    expect(endOf(TAKEN)).toBe(90 * DAY)
    expect(endOf(NO_ANSWER)).toBeLessThanOrEqual(14 * DAY)
  })

  it('accounts that were asked within ten seconds are of one round, whose first names the job', () => {
    const after = (wait: number) => {
      const job = playedJob(['a', SILENT])
      job.now += wait
      job.tries(['b', SILENT])
      return accountOf(job.state)
    }
    expect([after(10_000), after(10_001)]).toEqual(['a', 'b'])
  })
})
