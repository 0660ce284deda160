import type { FigureRow, Figures } from '../../../src/contract/job-index.ts'
import { agoOf, type Answers, HOSTILE, type World } from './world.ts'

/** Figures of a day, by hour, account and method. */
export function figureAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const row = (key: string, name: string, success: number, failure: number, pending: number): FigureRow => ({
    key,
    name,
    created: success + failure + pending + Math.floor(failure / 2) + 1,
    pending,
    success,
    failure,
    cancelled: Math.floor(failure / 2),
    expired: 1,
    successRate: success / (success + failure + Math.floor(failure / 2) + 1),
    medianSeconds: 38.4,
    paid: [{ currency: 'EUR', amount: `${success * 41}.50` }],
    refunded: [],
    chargedBack: [],
    net: [{ currency: 'EUR', amount: `${success * 41}.50` }],
  })
  const hours = [1, 2, 5].map((before) => row(hourBefore(now, before), '', before * 9, before, 0))
  const total = {
    ...row('all', 'All', 731, 74, 12),
    paid: [
      { currency: 'EUR', amount: '38412.90' },
      { currency: 'CHF', amount: '1210.00' },
    ],
    refunded: [{ currency: 'EUR', amount: '412.90' }],
    chargedBack: [{ currency: 'EUR', amount: '100.00' }],
    net: [
      { currency: 'EUR', amount: '37900.00' },
      { currency: 'CHF', amount: '1210.00' },
    ],
  }
  const figures: Figures = {
    from: ago(1440),
    to: ago(0),
    by: 'hour',
    mode: 'live',
    zone: 'Europe/Amsterdam',
    rows: hours,
    total,
  }
  return {
    'GET /figures': figures,
    'GET /figures?by=account': {
      ...figures,
      rows: [row('mollie-nl', 'mollie-nl', 612, 31, 8), row('stripe-eu', 'stripe-eu', 119, 43, 4)],
    },
    'GET /figures?by=method': {
      ...figures,
      rows: [row('ideal', 'ideal', 511, 20, 9), row('x', HOSTILE, 19, 0, 0)],
    },
  }
}

function hourBefore(now: number, hours: number): string {
  return new Date((Math.ceil(now / 3_600_000) - hours) * 3_600_000).toISOString()
}
