import { describe, expect, it } from 'vitest'
import { atStripe, session } from './at-stripe.ts'
import { json, paymentRequest, patience } from '../scripted.ts'

describe('a Stripe that repeats its fault of before', () => {
  const fault = (headers = {}) => json(500, { error: { message: 'oops' } }, headers)
  const repeated = fault({ 'idempotent-replayed': 'true' })
  const keysOf = (requests: readonly Request[]) =>
    requests.map((request) => request.headers.get('idempotency-key'))

  it('is asked under the next key, until it answers', async () => {
    const { psp, requests } = atStripe(repeated, repeated, json(200, session()))
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'announced' })
    expect(keysOf(requests)).toEqual([
      paymentRequest.job,
      `${paymentRequest.job}-2`,
      `${paymentRequest.job}-3`,
    ])
  })

  it('is left alone after a fault that is new', async () => {
    const { psp, requests } = atStripe(repeated, fault())
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(keysOf(requests)).toEqual([paymentRequest.job, `${paymentRequest.job}-2`])
  })

  it('is not asked for ever', async () => {
    const { psp, requests } = atStripe(repeated)
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(4)
  })
})
