import { type Answers, HOSTILE, JOB, POS, type World, agoOf } from './world.ts'

/** Payments as they are listed. */
export function paymentAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const statuses = 'SUCCESS SUCCESS PENDING FAILURE SUCCESS CANCELLED EXPIRED SUCCESS SUCCESS'.split(' ')
  const jobs = statuses.map((status, place) => ({
    id: JOB.replace('10', String(10 + place)),
    created: ago(place * 47),
    pos: POS.de,
    posName: place === 4 ? HOSTILE : place % 3 ? 'Bäckerei Müller & Söhne' : 'Fietsen van Dijk',
    account: place === 5 ? 'sandbox' : 'mollie-nl',
    reference: 'tr_8s7df',
    paymentMethod: place % 2 ? 'ideal' : 'creditcard',
    orderId: String(1000 + place),
    orderNumber: place === 4 ? HOSTILE : `A-${1000 + place}`,
    currency: place === 3 ? 'JPY' : 'EUR',
    amount: place === 3 ? '12800.00' : `${place * 313 + 12}.50`,
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
  return {
    'GET /jobs': { jobs, next: `${ago(1000)}-${JOB}` },
  }
}
