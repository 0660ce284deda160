import { type Answers, HOSTILE, type World, agoOf, answersTo, euros } from './world.ts'

/** Figures of a day, by hour, account and method. */
export function figureAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const row = (key: string, success: number, failure: number, pending: number, name = key) => {
    const ended = success + failure + Math.floor(failure / 2) + 1
    const money = euros(`${success * 41}.50`)
    return {
      key,
      name,
      created: ended + pending,
      pending,
      success,
      failure,
      cancelled: Math.floor(failure / 2),
      successRate: success / ended,
      medianSeconds: 38.4,
      paid: money,
      refunded: [],
      chargedBack: [],
      net: money,
    }
  }
  const francs = { currency: 'CHF', amount: '1210.00' }
  const day = {
    from: ago(1440),
    to: ago(0),
    mode: 'live',
    zone: 'Europe/Amsterdam',
    total: {
      ...row('all', 731, 74, 12),
      paid: [...euros('38412.90'), francs],
      refunded: euros('412.90'),
      chargedBack: euros('100.00'),
      net: [...euros('37900.00'), francs],
    },
  }
  const hours = [1, 2, 5].map((before) => row(hourBefore(now, before), before * 9, before, 0, ''))
  return answersTo({
    'GET /figures': { ...day, rows: hours },
    'GET /figures?by=account': { ...day, rows: [row('mollie-nl', 612, 31, 8), row('stripe-eu', 119, 43, 4)] },
    'GET /figures?by=method': { ...day, rows: [row('ideal', 511, 20, 9), row('x', 19, 0, 0, HOSTILE)] },
  })
}

function hourBefore(now: number, hours: number): string {
  return new Date((Math.ceil(now / 3_600_000) - hours) * 3_600_000).toISOString()
}
