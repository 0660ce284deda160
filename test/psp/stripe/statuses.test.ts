import { describe, expect, it } from 'vitest'
import {
  IntentStatus,
  PATIENCE,
  PaymentStatus,
  type SeenIntent,
  SessionStatus,
  meaningOf,
} from '../../../src/psp/stripe/tables.ts'
import { json } from '../scripted.ts'
import { atStripe, charge, intent, session, stripeError } from './at-stripe.ts'

const DAY = 86_400_000
const ID = 'cs_test_a1YS1URlnyQCN5fUUduO'

const INTENTS: readonly SeenIntent[] = [...IntentStatus.options, 'none', 'unknown']

const CLOSED_FAILURE = 'FAILURE for good'
const CLOSED_EXPIRED = 'EXPIRED for good'

/** What an unpaid session means. Written out here once more, each word of it. */
const UNPAID: Record<string, Record<SeenIntent, string | null>> = {
  open: Object.fromEntries(INTENTS.map((word) => [word, 'open'])) as Record<SeenIntent, string>,
  complete: {
    none: 'underway',
    processing: 'underway',
    requires_action: 'underway',
    requires_confirmation: 'underway',
    succeeded: 'underway',
    requires_capture: 'authorized',
    requires_payment_method: CLOSED_FAILURE,
    canceled: CLOSED_FAILURE,
    unknown: null,
  },
  expired: {
    none: CLOSED_EXPIRED,
    canceled: CLOSED_EXPIRED,
    requires_payment_method: CLOSED_EXPIRED,
    requires_confirmation: CLOSED_EXPIRED,
    requires_action: CLOSED_EXPIRED,
    processing: 'underway',
    succeeded: 'underway',
    requires_capture: 'authorized',
    unknown: 'EXPIRED',
  },
}

function wordsOf(meaning: ReturnType<typeof meaningOf>): string | null {
  if (meaning === null) return null
  return meaning.is === 'ended' ? `${meaning.status}${meaning.closed ? ' for good' : ''}` : meaning.is
}

const ALL = SessionStatus.options.flatMap((status) =>
  PaymentStatus.options.flatMap((payment) => INTENTS.map((word) => [status, payment, word] as const)),
)

describe('three words of Stripe', () => {
  it.each(ALL)('%s, %s and %s', (status, payment, word) => {
    const meaning = wordsOf(meaningOf(status, payment, word))
    if (payment === 'paid') expect(meaning).toBe('paid')
    else if (payment === 'no_payment_required' && status === 'complete') expect(meaning).toBe(CLOSED_FAILURE)
    else expect(meaning).toBe(UNPAID[status]?.[word])
  })
})

function seen(changes: object) {
  return atStripe(json(200, session(changes))).psp.ask(ID, 'EUR')
}
function unpaid(payment_intent: unknown) {
  return { status: 'complete', payment_status: 'unpaid', payment_intent }
}

describe('a session', () => {
  it.each([
    ['sepa_debit', 21],
    ['bacs_debit', 11],
    ['multibanco', 14],
    ['something_new', PATIENCE.otherwise],
  ])('that %s is at work for is waited for %d days', async (type, days) => {
    const slow = intent('processing', charge({ payment_method_details: { type } }))
    expect(await seen(unpaid(slow))).toEqual({
      is: 'observed',
      status: 'PENDING',
      stage: { is: 'underway', patience: days * DAY },
      paid: 0,
      expiresAt: Date.UTC(2026, 10, 21, 10, 15),
    })
  })

  it.each([null, undefined, 'pi_3Mtw'])(
    'that is complete, and whose intent is %j, is under way',
    async (held) => {
      expect(await seen(unpaid(held))).toMatchObject({
        stage: { is: 'underway', patience: PATIENCE.otherwise * DAY },
      })
    },
  )

  it.each([
    [{ status: 'weird' }, 'a status of the session that is not known: weird.'],
    [{ status: 'complete', payment_status: 'half' }, 'a status of the payment that is not known: half.'],
    [unpaid({ id: 'pi_1', status: 'odd' }), 'a status of the payment intent that is not known: odd.'],
    [unpaid({}), 'a status of the payment intent that is not known: none that can be read.'],
  ])('with a word that is not known, %j, tells the word and nothing else', async (changes, words) => {
    expect(await seen(changes)).toEqual({ is: 'unavailable', message: `Stripe answered with ${words}` })
  })

  it('that is paid stays so whatever its payment intent says', async () => {
    const paid = { status: 'complete', payment_status: 'paid', payment_intent: { status: 'odd' } }
    expect(await seen(paid)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })
})

describe('money that is reserved', () => {
  const RESERVED = session(unpaid(intent('requires_capture')))
  const PAID = session({ status: 'complete', payment_status: 'paid' })
  const CAPTURED = json(200, intent('succeeded'))

  it('is captured, and then paid', async () => {
    const { psp, requests, asked } = atStripe(json(200, RESERVED), CAPTURED, json(200, PAID))
    expect(await psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(asked()).toEqual([
      `GET /v1/checkout/sessions/${ID}`,
      'POST /v1/payment_intents/pi_3Mtw/capture',
      `GET /v1/checkout/sessions/${ID}`,
    ])
    expect(await requests[1]?.text()).toBe('amount_to_capture=1250')
    expect(requests[1]?.headers.has('idempotency-key')).toBe(false)
  })

  it('stays reserved where Stripe does not capture it', async () => {
    const { psp } = atStripe(json(200, RESERVED), stripeError(400, 'No'), json(200, RESERVED))
    expect(await psp.capture?.(ID, 1250, 'EUR')).toMatchObject({
      status: 'PENDING',
      stage: { is: 'authorized' },
    })
  })

  it('is not known to be captured while Stripe does not answer', async () => {
    const { psp, asked } = atStripe(json(200, RESERVED), json(503, {}))
    expect(await psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ is: 'unavailable' })
    expect(asked()).toHaveLength(2)
    const silent = atStripe(json(503, {}))
    expect(await silent.psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ is: 'unavailable' })
    expect(silent.asked()).toHaveLength(1)
  })
})
