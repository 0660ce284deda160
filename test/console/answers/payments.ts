import { type Answers, BAKERY, HOSTILE, JOB, POS, type World, agoOf, answersTo } from './world.ts'

/** Lists of payments. */
export function paymentAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const none = { unapplied: null, alsoPaidBy: [], authorized: '0.00', released: '0.00', captureBefore: null }
  const statuses = 'SUCCESS SUCCESS PENDING FAILURE SUCCESS CANCELLED EXPIRED SUCCESS SUCCESS'.split(' ')
  const jobs = statuses.map((status, place) => ({
    ...none,
    id: JOB.replace('10', String(10 + place)),
    created: ago(place * 47),
    pos: POS.de,
    posName: place === 4 ? HOSTILE : BAKERY,
    account: place === 5 ? 'sandbox' : 'mollie-nl',
    paymentMethod: place % 2 ? 'ideal' : 'creditcard',
    orderNumber: place === 4 ? HOSTILE : `A-${1000 + place}`,
    currency: place === 3 ? 'JPY' : 'EUR',
    amount: `${place * 313 + 12}.50`,
    mode: place === 5 ? 'test' : 'live',
    paid: status === 'SUCCESS' ? `${place * 313 + 12}.50` : '0.00',
    paidAt: status === 'SUCCESS' ? ago(place * 47 - 1) : null,
    refunded: place === 8 ? '100.00' : '0.00',
    chargedBack: '0.00',
    net: '0.00',
    status,
    updated: ago(place * 47),
    owedSince: place === 1 ? ago(60) : null,
    givenUp: place === 7 ? ago(60) : null,
  }))
  return answersTo({ 'GET /jobs': { jobs, next: `${ago(1000)}-${JOB}` } })
}
