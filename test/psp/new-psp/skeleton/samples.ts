import { skeleton } from './adapter.ts'
import type { PaymentRequest } from '../../../../src/psp/port.ts'
import type { Samples } from '../../samples.ts'
import { type Answer, type Answers, announcedBody, openScripted } from '../../scripted.ts'

const CREDENTIALS = { apiKey: 'key_of_the_first_account' }

/** A sample that is still to be written, in the PSP's own words and with the address of its document. */
function missing(what: string): Answer {
  return async () => {
    throw new Error(`test/psp/skeleton/samples.ts lacks ${what}`)
  }
}

export function atSkeleton(...answers: Answers) {
  return openScripted(skeleton, { mode: 'test', credentials: CREDENTIALS }, answers)
}

async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  const body = await announcedBody(atSkeleton(samples.created), changes)
  return JSON.parse(body) as Record<string, unknown>
}

export const samples: Samples = {
  adapter: skeleton,
  credentials: CREDENTIALS,
  announced,
  at: atSkeleton,
  keyHeader: 'idempotency-key',
  reference: '',
  created: missing('created'),
  checkoutUrl: '',
  expiresAt: null,
  asks: ['', '', ''],
  account: { authorization: `Bearer ${CREDENTIALS.apiKey}` },
  working: missing('working'),
  unknown: [],
  beforeRefund: [],
  refund: missing('refund'),
  others: [[missing('a payment of another amount')], [missing('a payment in another currency')]],
  keys: [missing('keys')],
  refusals: {
    refused_amount: missing('refused_amount'),
    refused_method: missing('refused_method'),
    refused_account: missing('refused_account'),
    refused_other: missing('refused_other'),
  },
  paid: () => missing('paid'),
  cosmetic: [],
  busy: {},
  refused: [],
  nonsense: [],
  unpayable: [],
  unbelievable: [],
  amounts: { step: () => 1, values: [], sent: ({ amount }) => amount },
  locales: { as: 'locale', shown: '', none: '' },
  notifications: { examples: [], sent: async (body) => ({ headers: {}, body: JSON.stringify(body) }) },
}
