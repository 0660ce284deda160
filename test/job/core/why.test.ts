import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { untilOf } from '../../../src/job/core/state.ts'
import { type Cause, type Todo, CAUSES } from '../../../src/job/core/causes.ts'
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
} from '../../support/played-job.ts'
import { KEY_REFUSED, TABLE, atTerminal, ended, placedAtTerminal, told } from '../../support/why-jobs.ts'

const ACCOUNT = { account: 'mollie' }
const NEW_JOB: Todo[] = [{ do: 'new-job' }]
const LET_PAY: Todo[] = [{ do: 'let-pay' }, { do: 'ask-psp' }]
const ASK: Todo[] = [{ do: 'watch-psp' }, { do: 'ask-psp' }]
const MEND: Todo[] = [{ do: 'mend-receiver' }, { do: 'send-report-again' }]

/** What an operator can do about each cause. */
const TODO: Record<Cause, Todo[]> = {
  'customer-not-back': LET_PAY,
  'customer-came-back': LET_PAY,
  'part-is-due': LET_PAY,
  'money-underway': [{ do: 'wait' }],
  'money-reserved': [{ do: 'wait' }],
  'capture-refused': [{ do: 'look-at-psp', ...WHERE }, { do: 'ask-psp' }],
  'capture-failed': [{ do: 'capture' }, { do: 'release' }],
  'capture-awaited': [{ do: 'capture' }, { do: 'release' }],
  'capture-ends-soon': [{ do: 'capture' }, { do: 'release' }],
  'capture-pending': [{ do: 'wait' }],
  'release-pending': [{ do: 'wait' }],
  'release-failed': [{ do: 'look-at-psp', ...WHERE }, { do: 'release' }],
  'psp-silent-at-announcement': [{ do: 'watch-psp' }, { do: 'route-elsewhere', ...ACCOUNT }],
  'psp-wants-no-request': [{ do: 'announce' }, { do: 'route-elsewhere', ...ACCOUNT }],
  'psp-silent-at-pulls': ASK,
  'psp-end-unknown': ASK,
  'psp-refuses-credentials': [
    { do: 'check-account', ...ACCOUNT },
    { do: 'renew-credentials', ...ACCOUNT },
  ],
  'psp-knows-no-payment': [{ do: 'check-account', ...ACCOUNT }],
  'signed-not-shown': [{ do: 'look-at-psp', ...WHERE, reference: 'card' }, { do: 'ask-psp' }],
  'terminal-asked': [{ do: 'wait' }],
  'terminal-waits-for-card': [{ do: 'tap' }, { do: 'ask-psp' }],
  'terminal-in-doubt': [
    { do: 'take-nothing' },
    { do: 'look-at-psp', ...WHERE, reference: 'tr_1' },
    { do: 'ask-psp' },
  ],
  'terminal-busy': [{ do: 'pay-otherwise' }],
  'terminal-off': [{ do: 'pay-otherwise' }, { do: 'check-terminal', ...ACCOUNT }],
  'terminal-unreachable': [{ do: 'pay-otherwise' }, { do: 'check-terminal', ...ACCOUNT }],
  'terminal-declined': [{ do: 'pay-otherwise' }],
  'terminal-refused': [{ do: 'pay-otherwise' }, { do: 'check-account', ...ACCOUNT }],
  paid: [{ do: 'nothing' }],
  'psp-refused-order': [{ do: 'change-order' }, ...NEW_JOB],
  'payment-failed': NEW_JOB,
  'cancelled-by-customer': NEW_JOB,
  'cancelled-by-shop': NEW_JOB,
  'cancelled-by-operator': NEW_JOB,
  released: [{ do: 'nothing' }],
  'not-captured-in-time': NEW_JOB,
  expired: NEW_JOB,
  'expired-unannounced': [{ do: 'check-account', ...ACCOUNT }, ...NEW_JOB],
  'expired-unconfirmed': [{ do: 'look-at-psp', ...WHERE }, { do: 'ask-psp' }],
  'report-due': [{ do: 'wait' }],
  'receiver-answers-error': MEND,
  'receiver-unreachable': MEND,
  'receiver-too-slow': MEND,
  'report-given-up': MEND,
  'report-unwanted': MEND,
  'report-address-refused': [{ do: 'change-report-url' }],
  'paid-twice': [{ do: 'refund' }, { do: 'clear' }],
  'paid-at-other-account': [{ do: 'nothing' }],
  'charged-back': [{ do: 'answer-dispute' }],
  'cancelled-after-paid': [{ do: 'keep-goods' }, ...NEW_JOB],
  'capture-bounced': [{ do: 'keep-goods' }, ...NEW_JOB],
  'still-reserved': [{ do: 'look-at-psp', ...WHERE }, { do: 'release' }],
  'refund-failed': [{ do: 'refund-again' }],
  overpaid: [{ do: 'refund-rest' }, { do: 'clear' }],
  'paid-in-part': [{ do: 'refund' }, { do: 'collect-rest' }, { do: 'clear' }],
  'paid-late': [{ do: 'deliver-or-refund' }, { do: 'clear' }],
  'late-accepted': [{ do: 'nothing' }],
  'order-paid-again': [{ do: 'look-at-others' }],
  cleared: [{ do: 'nothing' }],
  'refund-pending': [{ do: 'wait' }],
  refunded: [{ do: 'nothing' }],
}

/** The main cause, then the others. */
function causesOf({ state, now }: Job): Cause[] {
  const { main, others } = why(state, now)
  return [main, ...others].map(({ cause }) => cause)
}

describe('the reason for a payment’s state', () => {
  it.each(TABLE)('%s: %s', (cause, _, make) => {
    const job = make()
    expect(why(job.state, job.now + MINUTE).main).toEqual({ cause, todo: TODO[cause] })
  })

  it('names the account that refused the order, unless the order itself was refused', () => {
    const refused = { is: 'refused', message: 'refused_account: inactive' } as const
    const todo = [{ do: 'route-elsewhere', ...ACCOUNT }, ...NEW_JOB]
    const { state, now } = playedJob(['mollie', refused])
    expect(why(state, now).main).toEqual({ cause: 'report-due', todo: TODO['report-due'] })
    expect(whyEnded(state)).toEqual({ cause: 'psp-refused-order', todo })
  })

  describe('in doubt at a terminal', () => {
    const [TAKE_NOTHING, LOOK, ASK_PSP] = TODO['terminal-in-doubt']
    const MEND_ACCOUNT = TODO['psp-refuses-credentials']

    it('names the account if its key is refused while the terminal has the order', () => {
      const job = atTerminal()
      job.hears('duty', { answer: KEY_REFUSED })
      const todo = [TAKE_NOTHING, ...MEND_ACCOUNT, LOOK, ASK_PSP]
      expect(why(job.state, job.now).main).toEqual({ cause: 'terminal-in-doubt', todo })
    })

    it.each([
      [
        'names the account if its key is refused with the order',
        { ...SILENT, accountRefused: true as const },
        MEND_ACCOUNT,
      ],
      ['names no account that is only silent', SILENT, []],
    ])('%s', (_, outcome, mend) => {
      const job = placedAtTerminal()
      job.tries(['mollie', SILENT])
      job.tries(['mollie', outcome])
      const todo = [TAKE_NOTHING, ...mend, ASK_PSP]
      expect(why(job.state, job.now).main).toEqual({ cause: 'terminal-in-doubt', todo })
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
    expect(why(job.state, job.now).main).toEqual({ cause: 'part-is-due', todo: [{ do: 'ask-psp' }] })
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
    expect(why(job.state, job.now).others).toEqual([{ cause: 'paid-twice', todo: [{ do: 'nothing' }] }])
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

  it('has an answer for each cause', () => {
    expect(new Set(TABLE.map(([cause]) => cause))).toEqual(new Set(Object.keys(CAUSES)))
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
