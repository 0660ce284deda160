import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { payUrl, represent, representCreated } from '../../../src/job/rules/representation.ts'
import { recordPull, recordReturn } from '../../../src/job/rules/transition.ts'
import { AMOUNT, NOW, REFUSED, SILENT, sampleJob, seen } from '../../support/sample-job.ts'

/** What goes over the wire: members without a value would be lost here. */
function wire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function atSecond(seconds: number): number {
  return NOW + seconds * 1000
}

function paid(job: Job, amount: number): Job {
  return recordPull(
    recordPull(job, 'Return', seen('SUCCESS', amount), atSecond(65)),
    'Statuspull',
    seen('SUCCESS', amount),
    atSecond(65),
  )
}

const COMMON = {
  paymentJob: '7f2c1d1e-0000-4000-8000-000000000001',
  orderId: '7',
  orderNumber: 'A-7',
  created: '2026-01-31T10:00:00.000000Z',
  language: 'nl',
  currency: 'EUR',
  paymentMethod: 'ideal',
  payUrl: 'https://hub.nl/pay/7f2c1d1e-0000-4000-8000-000000000001',
  attributes: { returnUrl: 'https://shop.nl/thanks?order=7', reportUrl: 'https://shop.nl/report' },
  error: null,
}
const START = {
  creationDate: '2026-01-31T10:00:00.000001Z',
  transactionId: '7f2c1d1e-0000-4000-8000-000000000002',
  action: 'Start',
  status: 'PENDING',
  amountDue: '12.50',
  amountPaid: '0.00',
}

describe('the create operation shows', () => {
  it('the job with its Start step alone, and the number 0 as the amount paid', () => {
    expect(wire(representCreated(sampleJob()))).toStrictEqual({
      ...COMMON,
      lastUpdate: '2026-01-31T10:00:00.000001Z',
      amountDue: '12.50',
      amountPaid: 0,
      status: 'PENDING',
      payments: { steps: [START] },
    })
  })

  it('why the announcement failed', () => {
    expect(representCreated(sampleJob(REFUSED))).toMatchObject({
      status: 'FAILURE',
      error: 'The method is not active.',
    })
    expect(representCreated(sampleJob(SILENT))).toMatchObject({
      status: 'PENDING',
      error: 'No answer in time.',
    })
  })

  it('what has been paid when it is repeated later', () => {
    const shown = representCreated(paid(sampleJob(), AMOUNT))
    expect(shown).toMatchObject({ amountPaid: '12.50', amountDue: '0.00', status: 'SUCCESS' })
    expect(Object.keys(shown.payments)).toEqual(['steps'])
  })
})

describe('the retrieve operation shows', () => {
  it('the job with its whole trace, as in the specification', () => {
    expect(wire(represent(paid(sampleJob(), AMOUNT)))).toStrictEqual({
      ...COMMON,
      lastUpdate: '2026-01-31T10:01:05.000001Z',
      amountDue: '0.00',
      amountPaid: '12.50',
      status: 'SUCCESS',
      payments: {
        creationDate: '2026-01-31T10:01:05.000001Z',
        status: 'SUCCESS',
        amountDue: '0.00',
        amountPaid: '12.50',
        steps: [
          START,
          {
            creationDate: '2026-01-31T10:01:05.000000Z',
            action: 'Return',
            status: 'SUCCESS',
            amountDue: '0.00',
            amountPaid: '12.50',
          },
          {
            creationDate: '2026-01-31T10:01:05.000001Z',
            action: 'Statuspull',
            status: 'SUCCESS',
            amountDue: '0.00',
            amountPaid: '12.50',
          },
        ],
      },
    })
  })

  it('nothing paid as text', () => {
    expect(represent(sampleJob())).toMatchObject({ amountPaid: '0.00', payments: { amountPaid: '0.00' } })
  })

  it('the amounts as they were at each step', () => {
    const half = recordPull(
      recordReturn(sampleJob(), atSecond(1)),
      'Statuspull',
      seen('PENDING', 500),
      atSecond(2),
    )
    const shown = represent(half)
    expect(shown.payments.steps.map((step) => [step.amountDue, step.amountPaid])).toEqual([
      ['12.50', '0.00'],
      ['12.50', '0.00'],
      ['7.50', '5.00'],
    ])
  })
})

it.each([
  ['JPY', 1250, '1250.00', '0.00'],
  ['KWD', 1250, '1.250', '0.000'],
  ['CLF', 1250, '0.1250', '0.0000'],
  ['EUR', 1, '0.01', '0.00'],
])('shows %s with at least two decimals, and more where it has more', (currency, amount, whole, nothing) => {
  const job = sampleJob(undefined, { currency, amount })
  expect(represent(job)).toMatchObject({
    amountDue: whole,
    amountPaid: nothing,
    payments: { amountDue: whole, amountPaid: nothing, steps: [{ amountDue: whole, amountPaid: nothing }] },
  })
  expect(represent(paid(job, amount))).toMatchObject({ amountDue: nothing, amountPaid: whole })
  expect(representCreated(job)).toMatchObject({ amountDue: whole, amountPaid: 0 })
})

it("sends the customer to the hub's own address of the job", () => {
  expect(payUrl(sampleJob())).toBe('https://hub.nl/pay/7f2c1d1e-0000-4000-8000-000000000001')
})
