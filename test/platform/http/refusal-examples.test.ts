import { expect, it } from 'vitest'
import { REFUSAL_EXAMPLES } from '../../../src/tools/site/refusal-examples.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { PROBLEMS } from '../../../src/platform/http/problem-codes.ts'
import { PROBLEM_HELP } from '../../../src/platform/http/problem-help.ts'
import { refundRefused } from '../../../src/job/refund-refusals.ts'
import { idempotencyKeyOf } from '../../../src/pos-api/idempotency.ts'
import { testClockOf } from '../../../src/pos-api/test-clock.ts'
import { sampleProfile } from '../../support/sample-profile.ts'

function requestWith(headers: Record<string, string>) {
  return new Request('https://hub.example.com', { headers })
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of a job is read
const job = { order: { currency: 'EUR' } } as Job

it('every code has an example, and help is no example', () => {
  expect(Object.keys(REFUSAL_EXAMPLES).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
  const helped = Object.values(REFUSAL_EXAMPLES).filter(
    (refusal) =>
      'detail' in refusal && refusal.detail === PROBLEM_HELP[refusal.code].when.replaceAll('`', ''),
  )
  // Of this one both are the same sentence.
  expect(helped.map(({ code }) => code)).toEqual(['refund-nothing-left'])
})

it.each([
  ['idempotency-key-malformed', idempotencyKeyOf(requestWith({ 'idempotency-key': 'a b' }))],
  [
    'test-clock-malformed',
    testClockOf(requestWith({ 'test-clock-speed': 'x' }), sampleProfile({ mode: 'test' }), 0),
  ],
  [
    'test-mode-only',
    testClockOf(requestWith({ 'test-clock-speed': '2' }), sampleProfile({ mode: 'live' }), 0),
  ],
] as const)('the example of %s is what the hub says', (code, result) => {
  expect(result).toEqual({ ok: false, error: REFUSAL_EXAMPLES[code] })
})

it.each([
  ['refund-unpaid', { is: 'unpaid' }],
  ['refund-nothing-left', { is: 'nothing-left' }],
  ['refund-too-much', { is: 'too-much', rest: 1250 }],
  ['refund-limit', { is: 'too-many' }],
] as const)('the example of %s is what the hub says', (code, refusal) => {
  expect(refundRefused(refusal, job)).toEqual(REFUSAL_EXAMPLES[code])
})
