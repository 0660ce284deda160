import { expect, it } from 'vitest'
import { createJob, makePos, payAs, tokenFor } from '../support/hub.ts'

it.each([
  [
    'has no query',
    'https://shop.nl/thanks',
    /^https:\/\/shop\.nl\/thanks\?order_number=A-7&order_code=7&payment_job=/,
  ],
  ['has no path', 'https://shop.nl', /^https:\/\/shop\.nl\?order_number=A-7&order_code=7&payment_job=/],
])('a signed return goes to an address that %s', async (_, return_url, leadsTo) => {
  const { payUrl } = await createJob(await tokenFor(await makePos({ signReturn: true })), { return_url })
  expect(await payAs(payUrl, 'paid')).toMatch(leadsTo)
})
