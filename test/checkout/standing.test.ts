import { describe, expect, it } from 'vitest'
import { mayBePaid, moneyBackOf, paidAt, titleOf } from '../../src/checkout/standing.ts'
import { DAY } from '../../src/contract/timestamp.ts'
import type { Instruction, Payment } from '../../src/job/core/payment.ts'
import { type State, type TraceStep, untilOf } from '../../src/job/core/state.ts'
import {
  AMOUNT,
  NOW,
  SILENT,
  UNDER_WAY,
  WHERE,
  playedJob,
  reserved,
  reservedJob,
  seen,
} from '../support/jobs/played-job.ts'

/** A job after an answer of its PSP, a second after its creation. */
function after(answer: Parameters<ReturnType<typeof playedJob>['hears']>[1]['answer']): State {
  const job = playedJob()
  job.now += 1000
  job.hears('other', { answer })
  return job.state
}

const open = playedJob().state
const paid = after(seen('SUCCESS', AMOUNT))
const underWay = after(UNDER_WAY)
const partPaid = after(seen('EXPIRED', 400))

/** A job whose money was reserved for a later capture, after further answers of its PSP. */
function manual(...answers: ReturnType<typeof seen>[]): State {
  const job = reservedJob()
  for (const answer of answers) job.hears('other', { answer })
  return job.state
}
const LET_GO = { authorized: AMOUNT, released: AMOUNT }
const letGo = manual(seen('CANCELLED', 0, LET_GO))
const partLetGo = manual(seen('EXPIRED', 0, { authorized: AMOUNT, released: 500, closed: true }))
const partTaken = manual(seen('SUCCESS', 500, { authorized: AMOUNT, released: 750 }))

function refundOf(amount: number, state: Instruction['state']): Instruction {
  return {
    ...WHERE,
    kind: 'refund',
    id: `re-${amount}`,
    fingerprint: 'f',
    call: 'c',
    amount,
    description: '',
    at: NOW,
    round: 1,
    askedAt: NOW,
    state,
    pspId: null,
    error: null,
    lastCheckAt: NOW,
    answeredAt: 0,
  }
}

type Back = Partial<Pick<Payment, 'refunded' | 'chargedBack' | 'foreign'>> & {
  refunds?: Instruction[]
  steps?: TraceStep[]
}

function withBack({ refunds = [], steps = [], ...totals }: Back): State {
  return {
    ...paid,
    payments: paid.payments.map((payment) => ({ ...payment, ...totals })),
    instructions: refunds,
    steps: [...paid.steps, ...steps],
  }
}

const partBack: State = {
  ...partPaid,
  payments: partPaid.payments.map((payment) => ({ ...payment, refunded: 400 })),
}

describe('the title of a job', () => {
  it.each<[string, State, number, string]>([
    ['that can be paid', open, NOW, 'OPEN'],
    ['that its PSP does not know yet', playedJob(['mollie', SILENT]).state, NOW, 'OPEN'],
    ['whose time to pay is over', open, untilOf(open), 'EXPIRED'],
    ['whose money is on its way, also after that time', underWay, NOW + 20 * DAY, 'PENDING'],
    ['that is paid', paid, NOW, 'SUCCESS'],
    ['whose money is reserved', manual(), NOW, 'RESERVED'],
    ['of which a part was captured', manual(reserved(500)), NOW, 'PART_RESERVED'],
    ['of which a part was captured, and the rest released', partTaken, NOW, 'SUCCESS'],
    ['whose reserved money was released', letGo, NOW, 'RELEASED'],
    ['that was not captured in time', manual(seen('EXPIRED', 0, LET_GO)), NOW, 'RELEASED'],
    // Seconds later the hub has captured it.
    ['whose money is reserved until the hub captures it', after(reserved()), NOW, 'PENDING'],
    ['that expired, and whose PSP holds a part of the money still', partLetGo, NOW, 'EXPIRED'],
    ['that failed', after(seen('FAILURE')), NOW, 'FAILURE'],
    ['that was cancelled', after(seen('CANCELLED')), NOW, 'CANCELLED'],
    ['that has expired', after(seen('EXPIRED')), NOW, 'EXPIRED'],
    ['that ended with a part of the money', partPaid, NOW, 'PART'],
    ['of which the PSP took a part, and no more', after(seen('SUCCESS', 400)), NOW, 'PART'],
    ['of which the rest can be paid', after(seen('PENDING', 400)), NOW, 'OPEN'],
    ['of which a part was refunded', withBack({ refunded: AMOUNT - 1 }), NOW, 'PART_REFUNDED'],
    ['of which all was refunded', withBack({ refunded: AMOUNT }), NOW, 'REFUNDED'],
    ['of which a refund is on its way', withBack({ refunds: [refundOf(200, 'asking')] }), NOW, 'REFUNDING'],
    [
      'of which a refund is done that the total of the PSP lacks',
      withBack({ refunds: [refundOf(200, 'done')] }),
      NOW,
      'REFUNDING',
    ],
    ['of which a refund failed', withBack({ refunds: [refundOf(200, 'failed')] }), NOW, 'SUCCESS'],
    ['of which a part was charged back', withBack({ chargedBack: 1 }), NOW, 'PART_CHARGED_BACK'],
    ['of which all was charged back', withBack({ chargedBack: AMOUNT }), NOW, 'CHARGED_BACK'],
    ['that ended with a part of the money, which was refunded', partBack, NOW, 'REFUNDED'],
    [
      'of which all is on its way back, and in the total of the PSP',
      withBack({ refunded: AMOUNT, refunds: [refundOf(AMOUNT, 'pending')] }),
      NOW,
      'REFUNDING',
    ],
    [
      'of which all was refunded or charged back',
      withBack({ refunded: 50, chargedBack: AMOUNT - 50 }),
      NOW,
      'PART_CHARGED_BACK',
    ],
  ])('%s', (_, job, now, title) => {
    expect(titleOf(job, now)).toBe(title)
  })
})

it.each<[string, State, boolean]>([
  ['open', open, true],
  ['under way', underWay, false],
  ['paid', paid, false],
  ['cancelled', after(seen('CANCELLED')), false],
])('a job that is %s may be paid: %#', (_, job, may) => {
  expect(mayBePaid(job, NOW + 2000)).toBe(may)
})

it('the time of the payment is that of the first money', () => {
  expect(paidAt(paid)).toBe(NOW + 1000)
  expect(paidAt(partPaid)).toBe(NOW + 1000)
  expect(paidAt(after(seen('FAILURE')))).toBeNull()
})

it('reserved money is shown apart from what was taken, and from what was released and when', () => {
  const told = (job: State) => moneyBackOf(job).map(({ label, amount, at }) => [label, amount, at])
  expect(told(manual())).toEqual([['reserved', AMOUNT, null]])
  expect(told(manual(reserved(500)))).toEqual([['reserved', AMOUNT - 500, null]])
  expect(told(partTaken)).toEqual([['released', 750, NOW + 60_000]])
  expect(told(letGo)).toEqual([['released', AMOUNT, NOW + 60_000]])
  expect(told(after(reserved()))).toEqual([])
  // Money that was reserved beyond the order's amount does not belong to the order.
  const more = seen('SUCCESS', AMOUNT, { authorized: AMOUNT + 100, released: 100 })
  expect(told(manual(reserved(0, {}, AMOUNT + 100), more))).toEqual([])
})

describe('money that went back', () => {
  const is = { status: 'SUCCESS', paid: AMOUNT, due: 0 } as const
  const steps: TraceStep[] = [
    { ...is, at: (NOW + 2000) * 1000, action: 'Refund', refunded: 200, chargedBack: 0 },
    { ...is, at: (NOW + 3000) * 1000, action: 'Chargeback', refunded: 200, chargedBack: 100 },
    { ...is, at: (NOW + 4000) * 1000, action: 'Refund', refunded: 500, chargedBack: 100 },
  ]

  it('has the time at which it last changed', () => {
    expect(moneyBackOf(withBack({ refunded: 500, foreign: 500, chargedBack: 100, steps }))).toEqual([
      { label: 'refunded', amount: 500, at: NOW + 4000 },
      { label: 'chargedBack', amount: 100, at: NOW + 3000 },
    ])
  })

  it('has a time if it arrived, and none while it is on its way', () => {
    const refunds = [refundOf(200, 'done'), refundOf(300, 'pending')]
    expect(moneyBackOf(withBack({ refunded: 500, refunds, steps }))).toEqual([
      { label: 'refunded', amount: 200, at: NOW + 2000 },
      { label: 'refunding', amount: 300, at: null },
    ])
  })

  it.each<[string, Back, [string, number][]]>([
    ['that was asked for is on its way', { refunds: [refundOf(300, 'asking')] }, [['refunding', 300]]],
    [
      'that the PSP has in its total is on its way until it is done',
      { refunded: 300, refunds: [refundOf(300, 'pending')] },
      [['refunding', 300]],
    ],
    [
      'that is done, and in the total, is not on its way besides',
      { refunded: 300, refunds: [refundOf(300, 'done')] },
      [['refunded', 300]],
    ],
    [
      'of which one is done and one on its way, both in the total',
      { refunded: 500, refunds: [refundOf(200, 'done'), refundOf(300, 'pending')] },
      [
        ['refunded', 200],
        ['refunding', 300],
      ],
    ],
    [
      'of which one is done and one on its way, which is not in the total',
      { refunded: 200, refunds: [refundOf(200, 'done'), refundOf(300, 'asking')] },
      [
        ['refunded', 200],
        ['refunding', 300],
      ],
    ],
    [
      'of which one was made elsewhere and one is on its way, both in the total',
      { refunded: 700, foreign: 400, refunds: [refundOf(300, 'pending')] },
      [
        ['refunded', 400],
        ['refunding', 300],
      ],
    ],
    [
      'that is done at the PSP, whose total does not have it yet',
      { refunds: [refundOf(300, 'done')] },
      [['refunding', 300]],
    ],
    [
      'of which the PSP has a part in its total',
      { refunded: 500, foreign: 500, refunds: [refundOf(300, 'pending')] },
      [
        ['refunded', 500],
        ['refunding', 300],
      ],
    ],
    [
      'of which one failed',
      { refunded: 300, refunds: [refundOf(300, 'done'), refundOf(200, 'failed')] },
      [['refunded', 300]],
    ],
  ])('%s', (_, back, told) => {
    expect(moneyBackOf(withBack(back)).map(({ label, amount }) => [label, amount])).toEqual(told)
  })
})
