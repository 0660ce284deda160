import { type Operation, ref } from './operation.ts'

const POS = ['accessToken', 'apiKey'] as const
const KEYED = [ref('parameters', 'IdempotencyKey')]
const SIGNED = ['X-Signature']
/** What a body may be refused for. */
const OF_A_BODY = [400, 413, 415, 422]

const TOKEN = {
  method: 'get',
  tag: 'Access',
  credentials: ['apiKey'],
  answer: { status: 200, description: 'A new access token.', schema: 'Token' },
  problems: [],
} as const

/** What points of sale can do. */
export const POS_OPERATIONS: readonly Operation[] = [
  {
    ...TOKEN,
    id: 'createToken',
    path: '/v1/guardian',
    summary: 'Get an access token',
    description:
      'Trades the API key for an access token that is valid for 24 hours. Cache it: each call makes a new one, and the calls are ' +
      'limited. Get the next one some minutes before it expires, and once when a request is answered 401.',
  },
  {
    ...TOKEN,
    id: 'createTokenBelowApi',
    path: '/api/v1/guardian',
    summary: 'Get an access token, under its other address',
    description: 'The same as `GET /v1/guardian`, for clients that put `/api` in front of it.',
  },
  {
    id: 'createPaymentJob',
    method: 'post',
    path: '/v2/paymentjobs',
    tag: 'Payment jobs',
    summary: 'Create a payment job',
    description:
      'Announces the order at the PSP, and creates the job. Send the customer to its `payUrl`. When you do not know what became of a ' +
      'create (no answer, 429 or 5xx), repeat it with the same `Idempotency-Key`: there is one job, and one payment.',
    credentials: POS,
    parameters: KEYED,
    body: { schema: 'NewPaymentJob', isRequired: true },
    answer: {
      status: 201,
      description:
        'The job, also where the PSP refused it (`FAILURE`), and the job of a create before with the same key.',
      schema: 'CreatedPaymentJob',
      headers: [...SIGNED, 'Location'],
    },
    problems: [...OF_A_BODY, 409],
  },
  {
    id: 'getPaymentJob',
    method: 'get',
    path: '/v2/paymentjobs/{id}',
    tag: 'Payment jobs',
    summary: 'Read a payment job',
    description: 'The job as it stands now, with its trace.',
    credentials: POS,
    answer: { status: 200, description: 'The job.', schema: 'PaymentJob', headers: SIGNED },
    problems: [404],
  },
  {
    id: 'cancelPaymentJob',
    method: 'post',
    path: '/v2/paymentjobs/{id}/cancel',
    tag: 'Payment jobs',
    summary: 'Cancel a payment job',
    description:
      'Stops what the customer can still pay. A 409 says how the job stands when it is too late. It needs no body.',
    credentials: POS,
    answer: { status: 200, description: 'The job, now `CANCELLED`.', schema: 'PaymentJob', headers: SIGNED },
    problems: [404, 409],
  },
  {
    id: 'createRefund',
    method: 'post',
    path: '/v2/paymentjobs/{id}/refunds',
    tag: 'Refunds',
    summary: 'Give money back',
    description:
      'Asks the PSP to give back an amount, or all that is left where none is named. Never more goes back than was paid. Send an ' +
      '`Idempotency-Key`: a repetition is the same refund. What the PSP refuses is a 422 with its words.',
    credentials: POS,
    parameters: KEYED,
    body: { schema: 'NewRefund', isRequired: false },
    answer: {
      status: 201,
      description: 'The refund. While it is `PENDING`, read the list of refunds until it is not.',
      schema: 'Refund',
      headers: SIGNED,
    },
    problems: [...OF_A_BODY, 404, 409],
  },
  {
    id: 'listRefunds',
    method: 'get',
    path: '/v2/paymentjobs/{id}/refunds',
    tag: 'Refunds',
    summary: 'List the refunds of a payment job',
    description: 'The refunds that were asked for here, the oldest first, each as it stands now.',
    credentials: POS,
    answer: { status: 200, description: 'The refunds.', schema: 'RefundList', headers: SIGNED },
    problems: [404],
  },
]
