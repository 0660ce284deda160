import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { untilOf } from '../../../src/job/core/state.ts'
import type { Cause } from '../../../src/contract/causes.ts'
import type { Todo } from '../../../src/job/core/finding.ts'
import { plannedTimes, why, whyEnded } from '../../../src/job/core/why.ts'
import {
  type Job,
  AMOUNT,
  AUTHORIZED,
  DONE,
  NOT_ASKED,
  NOW,
  SILENT,
  TOOK,
  WHERE,
  playedJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import {
  KEY_REFUSED,
  TABLE,
  atTerminal,
  ended,
  jobWith,
  placedAtTerminal,
  told,
} from '../../support/jobs/why-jobs.ts'

const NEW_JOB: Todo = { do: 'new-job' }

/** The main cause, then the others. */
function causesOf({ state, now }: Job): Cause[] {
  const { main, others } = why(state, now)
  return [main, ...others].map(({ cause }) => cause)
}

describe('the reason for a payment’s state', () => {
  it.each(TABLE)('%s', (cause, make) => {
    const job = make()
    expect(why(job.state, job.now + MINUTE).main.cause).toBe(cause)
  })

  it('says where to do what its row says', () => {
    const todoOf = (cause: Cause) => why(jobWith(cause).state, jobWith(cause).now).main.todo
    expect(todoOf('psp-refused-order')).toEqual([{ do: 'change-order' }, NEW_JOB])
    expect(todoOf('expired-unannounced')).toEqual([{ do: 'check-account', account: 'mollie' }, NEW_JOB])
    expect(todoOf('still-reserved')).toEqual([{ do: 'look-at-psp', ...WHERE }, { do: 'release' }])
    // The payment has a second reference; nothing was taken at a counter.
    const card = { account: 'mollie', reference: 'card' }
    expect(todoOf('signed-not-shown')).toEqual([{ do: 'look-at-psp', ...card }, { do: 'ask-psp' }])
  })

  it('names the account that refused the order, unless the order itself was refused', () => {
    const job = playedJob(['mollie', { is: 'refused', message: 'refused_account: inactive' }])
    expect(why(job.state, job.now).main.cause).toBe('report-due')
    job.report('200')
    const todo = [{ do: 'route-elsewhere', account: 'mollie' }, NEW_JOB]
    expect(why(job.state, job.now).main).toMatchObject({ cause: 'psp-refused-order', todo })
  })

  describe('in doubt at a terminal', () => {
    const doubtIn = ({ state, now }: Job) => {
      const { cause, todo } = why(state, now).main
      return [cause, ...todo.map((one) => one.do)]
    }

    it('names the account if its key is refused while the terminal has the order', () => {
      const job = atTerminal()
      job.hears('duty', { answer: KEY_REFUSED })
      const mend = ['check-account', 'renew-credentials']
      expect(doubtIn(job)).toEqual(['terminal-in-doubt', 'take-nothing', ...mend, 'look-at-psp', 'ask-psp'])
    })

    it.each([
      [
        'names the account if its key is refused with the order',
        { ...SILENT, accountRefused: true as const },
        ['check-account', 'renew-credentials'],
      ],
      ['names no account that is only silent', SILENT, []],
    ])('%s', (_, outcome, mend) => {
      const job = placedAtTerminal()
      job.tries(['mollie', SILENT])
      job.tries(['mollie', outcome])
      expect(doubtIn(job)).toEqual(['terminal-in-doubt', 'take-nothing', ...mend, 'ask-psp'])
    })

    it('begins with a cancel before the order is sent', () => {
      const job = placedAtTerminal()
      expect(why(job.state, job.now).main.cause).toBe('terminal-asked')
      job.tell({ do: 'cancel', by: 'shop' })
      expect(why(job.state, job.now).main.cause).toBe('terminal-in-doubt')
    })
  })

  it('calls no end unknown before the last question can be answered', () => {
    const job = playedJob()
    job.now = untilOf(job.state)
    job.hears('duty', { answer: seen('PENDING') })
    expect(why(job.state, job.now + MINUTE / 2 - 1).main.cause).toBe('customer-not-back')
    expect(why(job.state, job.now + MINUTE / 2).main.cause).toBe('psp-end-unknown')
    expect(why(playedJob().state, job.now + HOUR).main.cause).toBe('customer-not-back')
  })

  it('calls a PSP silent once the time is over for which it wanted no request', () => {
    const { state } = playedJob(['mollie', { ...SILENT, notBefore: NOW + HOUR }])
    expect(why(state, NOW + HOUR).main.cause).toBe('psp-silent-at-announcement')
  })

  it('warns that a reservation ends less than a day before that', () => {
    const { state } = reservedJob()
    expect(why(state, NOW + 2 * DAY).main.cause).toBe('capture-awaited')
    expect(why(state, NOW + 2 * DAY + 1).main.cause).toBe('capture-ends-soon')
    const unnamed = playedOrder({ capture: 'manual' })
    unnamed.hears('other', { answer: AUTHORIZED })
    expect(why(unnamed.state, unnamed.now).main.cause).toBe('capture-awaited')
  })

  it('waits for a capture until the PSP counts it, even one of a part', () => {
    for (const amount of [null, 500]) {
      const job = reservedJob()
      job.wants('capture', 'c1', { amount })
      expect(why(job.state, job.now).main.cause).toBe('capture-pending')
      job.answered('c1', DONE)
      expect(why(job.state, job.now).main.cause).toBe(amount ? 'capture-awaited' : 'capture-pending')
    }
  })

  it('counts as refunded only what went back in addition to what was never the shop’s', () => {
    const job = told()
    const cancelled = { kind: 'refund', amount: 500, cancelled: true } as const
    job.notified({ moves: [{ ...cancelled, id: 'm1' }] })
    job.report('200')
    expect(why(job.state, job.now)).toMatchObject({ main: { cause: 'cancelled-after-paid' }, others: [] })
    job.notified({ moves: [{ id: 'm2', kind: 'refund', amount: 300, reference: 're_1' }] })
    job.report('200')
    expect(why(job.state, job.now).others).toMatchObject([{ cause: 'refunded' }])
  })

  it('names a refund before a surplus only if the refund failed', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT + 100) })
    job.report('200')
    job.refund('r1', 50)
    expect(causesOf(job)).toEqual(['overpaid', 'refund-pending'])
    job.answered('r1', { is: 'failed', message: 'The account is closed.' })
    expect(causesOf(job)).toEqual(['refund-failed', 'overpaid'])
  })

  it('says of a failed capture that its money is not the shop’s, and names no release that nobody requested', () => {
    const job = reservedJob()
    job.wants('capture', 'c1')
    job.answered('c1', DONE)
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { authorized: AMOUNT }) })
    job.answered('c1', { is: 'failed', message: 'No.' })
    job.now += MINUTE
    job.hears('other', { answer: reserved() })
    job.report('200')
    expect(causesOf(job)).toEqual(['capture-bounced'])
    job.wants('capture', 'c2')
    expect(causesOf(job)).toEqual(['capture-bounced'])
  })

  it.each([
    ['was not asked since', { is: 'not-asked', since: NOW } as const, 'psp-refuses-credentials'],
    ['does not answer since', SILENT, 'psp-silent-at-announcement'],
  ])('goes by the last answer of an account that refused its key, and %s', (_, outcome, cause) => {
    const job = playedJob(['mollie', { ...SILENT, accountRefused: true as const }], ['other', SILENT])
    job.tries(['mollie', outcome], ['other', { ...SILENT, accountRefused: true as const }])
    expect(why(job.state, job.now).main.cause).toBe(cause)
  })

  it('calls no account silent that was not asked, and no PSP that did answer', () => {
    const { state } = playedJob(['mollie', NOT_ASKED])
    expect(why(state, NOW).main.cause).toBe('psp-silent-at-announcement')
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
    expect(whyEnded(job.state).cause).toBe('expired')
  })

  it('lets no customer pay a part that the PSP takes no more', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 500) })
    expect(why(job.state, job.now).main).toMatchObject({ cause: 'part-is-due', todo: [{ do: 'ask-psp' }] })
  })

  it('also says why the report of a part is not delivered', () => {
    const job = playedJob()
    expect(why(job.state, job.now).others).toEqual([])
    job.hears('other', { answer: seen('PENDING', 500) })
    expect(why(job.state, job.now)).toMatchObject({
      main: { cause: 'part-is-due' },
      others: [{ cause: 'report-due' }],
    })
  })

  it('calls a report given up even if an older one arrived after that', () => {
    const job = told()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 100 }) })
    job.report('410', 'unwanted')
    job.report('200', 'delivered', { revision: 2 })
    expect(why(job.state, job.now).main.cause).toBe('report-given-up')
  })

  it('counts money at another account only if there is some', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', { ...TOOK, reference: 'a_1' }])
    job.hears('other', { answer: seen('SUCCESS', AMOUNT + 100) })
    job.report('200')
    expect(why(job.state, job.now)).toMatchObject({ main: { cause: 'overpaid' }, others: [] })
    job.hearsOf({ account: 'a', reference: 'a_1' }, { answer: seen('SUCCESS') })
    job.report('200')
    expect(why(job.state, job.now)).toMatchObject({ main: { cause: 'paid-twice' }, others: [] })
  })

  it('asks for no refund of a second payment once one went back, or is on its way', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', { ...TOOK, reference: 'a_1' }])
    job.hears('other', { answer: seen('SUCCESS') })
    job.hearsOf({ account: 'a', reference: 'a_1' }, { answer: seen('SUCCESS') })
    job.report('200')
    job.refund('r1', AMOUNT - 1)
    expect(causesOf(job)).toEqual(['paid-twice', 'refund-pending'])
    job.refund('r2', 1)
    expect(causesOf(job)).toEqual(['refund-pending', 'paid-twice'])
    expect(why(job.state, job.now).others).toMatchObject([{ cause: 'paid-twice', todo: [{ do: 'nothing' }] }])
    job.answered('r2', { is: 'failed', message: 'The account is closed.' })
    expect(causesOf(job)).toEqual(['paid-twice', 'refund-failed'])
  })

  it('says that a refund failed until another one is under way or has arrived', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    job.report('200')
    const cause = () => why(job.state, job.now).main.cause
    job.refund('r1', 500)
    job.answered('r1', { is: 'failed', message: 'The account is closed.' })
    expect(cause()).toBe('refund-failed')
    job.refund('r2', 500)
    expect(cause()).toBe('refund-pending')
    job.answered('r2', DONE)
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 500 }) })
    job.report('200')
    expect(cause()).toBe('refunded')
  })

  it('asks for no refund of a second payment once one was charged back', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', { ...TOOK, reference: 'a_1' }])
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: AMOUNT }) })
    job.hearsOf({ account: 'a', reference: 'a_1' }, { answer: seen('SUCCESS') })
    job.report('200')
    expect(causesOf(job)).toEqual(['charged-back', 'paid-twice'])
  })

  it('says when the hub will do what next', () => {
    const { state, now } = playedJob()
    const plan = (['announce', 'ask', 'report', 'purge'] as const).map((kind, at) => ({
      do: kind,
      at: now + at,
    }))
    const another = { do: 'stop', at: now + 5 } as const
    expect(plannedTimes(state, [another, ...plan], now)).toEqual({
      expires: untilOf(state),
      nextPull: now + 1,
      nextAnnouncement: now,
      nextReport: now + 2,
      purge: now + 3,
    })
    expect(plannedTimes(state, [{ do: 'stop', at: 0 }], now)).toMatchObject({ nextPull: now, purge: null })
    expect(plannedTimes(ended('FAILURE').state, [], now).expires).toBeNull()
  })

  it('names the most important cause first, and then the others', () => {
    const job = told(ended('EXPIRED'))
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 100 }) })
    job.report('500')
    expect(causesOf(job)).toEqual(['receiver-answers-error', 'charged-back', 'late-accepted'])
  })

  it.each([
    [10, 'expired'],
    [11, 'expired-unconfirmed'],
  ] as const)(
    'an end that the PSP does not call final, after %i questions at the end: %s',
    (asked, cause) => {
      const job = playedJob()
      job.now = untilOf(job.state)
      for (let times = 0; times < asked; times++) {
        job.hears('duty', { answer: seen('PENDING') })
        job.now += 12 * HOUR
      }
      job.hears('other', { answer: seen('EXPIRED', 0, { closed: false }) })
      expect(whyEnded(job.state).cause).toBe(cause)
    },
  )
})
