import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { JobDetail } from '../../src/contract/job-detail.ts'
import type { Capture, Refund } from '../../src/contract/instruction.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../../src/contract/operator-operations.ts'
import type { Why } from '../../src/contract/why.ts'
import { isRecord } from '../../src/platform/stored.ts'
import { sampleOf } from '../../src/build/openapi/openapi.ts'

/**
 * A sample answer to a request. It matches the schema of the operation, and is the last page. Null if there
 * is no such operation.
 */
export function sampleAnswer(method: string, path: string): object | null {
  const row = Object.values<Operation>(OPERATOR_OPERATIONS).find(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  )
  if (!row?.answer.schema) return null
  const schema = toJsonSchema(row.answer.schema, { errorMode: 'ignore', typeMode: 'output' })
  const sample = isRecord(schema) ? sampleOf(schema, {}) : null
  if (!isRecord(sample)) return null
  return 'next' in sample ? { ...sample, next: null } : sample
}

const AT = '2026-01-31T10:00:00.000Z'
/** A time with six decimals, as in payment jobs. */
const MICROS = '2026-01-31T10:00:00.000000Z'
const ID = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
export const REFUND: Refund = {
  refund: ID,
  paymentJob: ID,
  created: MICROS,
  currency: 'EUR',
  amount: '5.00',
  description: 'Refund of order A-1',
  status: 'PENDING',
  error: null,
}
export const CAPTURE: Capture = {
  capture: ID,
  paymentJob: ID,
  created: MICROS,
  currency: 'EUR',
  amount: '5.00',
  description: 'Order A-1',
  final: false,
  status: 'SUCCESS',
  error: null,
}
export const TRANSFER: JobDetail['transfers'][number] = {
  kind: 'capture',
  account: 'shop-mollie',
  id: 're_1',
  own: ID,
  amount: '5.00',
  state: 'done',
  asked: AT,
  changed: AT,
  why: null,
}
export const WHY: Why = {
  cause: 'customer-not-back',
  happened: 'The payment is open since 2026-01-31T10:00:00Z.',
  move: 'customer',
  todo: 'The customer pays.',
  todos: [{ do: 'let-pay', says: 'The customer pays.' }],
  also: ['It rains.'],
}
/** A job that is waiting for its customer. */
export const JOB: JobDetail = {
  ...v.parse(JobDetail, sampleAnswer('GET', `/operator/v1/jobs/${ID}`)),
  orderNumber: 'A-1',
  created: MICROS,
  currency: 'EUR',
  amountDue: '12.50',
  amountPaid: '0.00',
  paymentMethod: 'ideal',
  status: 'PENDING',
  attributes: { returnUrl: 'https://shop/return', reportUrl: 'https://shop/report' },
  pos: 'p',
  posName: 'Shop 1',
  stage: null,
  late: false,
  transfers: [],
  captures: [],
  capturable: '0.00',
  refunds: [],
  refundable: '7.50',
  reports: [{ revision: 1, state: 'due', due: AT, attempts: [{ at: AT, outcome: '500' }] }],
  why: WHY,
}
export const ME = { name: 'Desk', role: 'viewer', via: 'token', until: null }
