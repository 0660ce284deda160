import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../../src/contract/timestamp.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { NOW, SILENT, sampleJob, seen } from '../../../support/sample-job.ts'
import { END, SOON, notAnswered, pulled } from '../why-jobs.ts'
import { inTrouble, told } from './sentences.ts'

const WAITS = sampleJob(SILENT)
const LAST_WORDS = ' The last was: "No answer in time."'
const AGAIN = ' The hub tries again at 2026-01-31T10:00:10Z, and when the customer opens payUrl.'
const NOBODY = 'The PSP of sandbox has not answered, so nobody can pay yet;'

describe('a payment that is not announced yet', () => {
  const due = { is: 'due' as const, tries: 2, at: NOW + 10_000 }
  told([
    [
      'names the others that were tried',
      { ...WAITS, passedOver: ['b', 'c'] },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried once.${LAST_WORDS} So it was with b, c.${AGAIN}`,
    ],
    [
      'is not said to have been tried at an account that was passed over',
      { ...WAITS, asked: { skipped: [inTrouble('b'), inTrouble('sandbox')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} not tried yet, for it had not answered others.${LAST_WORDS}${AGAIN}`,
    ],
    [
      'was tried, where another account was passed over',
      { ...WAITS, asked: { skipped: [inTrouble('b')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried once.${LAST_WORDS}${AGAIN}`,
    ],
    [
      'was tried by now at an account that was passed over at first',
      { ...WAITS, announcement: due, asked: { skipped: [inTrouble('sandbox')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried 2 times.${LAST_WORDS}${AGAIN}`,
    ],
  ])
})

describe('a payment whose end the PSP has not told', () => {
  const open = pulled(sampleJob(), seen('PENDING'))
  it('is open for half a minute after its last pull is due, and then has an unknown end', () => {
    const causeAt = (lastPulls: number, now: number) => why({ ...open, lastPulls }, now).cause
    expect(causeAt(2, END + MINUTE / 2 - 1)).toBe('customer-not-back')
    expect(causeAt(2, END + MINUTE / 2)).toBe('psp-end-unknown')
    expect(causeAt(0, END + HOUR)).toBe('customer-not-back')
  })

  const silent = 'The PSP of sandbox did not answer when the hub asked how the payment stands: '
  told([
    [
      'says how often the PSP did not answer, and since when',
      notAnswered(notAnswered(sampleJob()), NOW + 3 * MINUTE),
      NOW + 4 * MINUTE,
      'psp-silent-at-pulls',
      `${silent}2 times since 2026-01-31T10:01:00Z, last at 2026-01-31T10:03:00Z.${LAST_WORDS} The hub asks again at 2026-01-31T10:01:00Z.`,
    ],
  ])
})
