import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { makePos, order, tokenFor } from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'

const named = { ...env, HUB_HOSTS: 'pay.shop-payments.nl hub.shop-payments.com' }

let token: string
beforeAll(async () => {
  receiver()
  token = await tokenFor(await makePos())
})

/** Creates a job at one name of the hub, with a report URL at another. */
function createAt(host: string, reportHost: string): Promise<Response> {
  return worker.fetch(
    new Request(`https://${host}/v2/paymentjobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...order, report_url: `https://${reportHost}/v2/paymentjobs` }),
    }) as Parameters<typeof worker.fetch>[0],
    named,
  )
}

describe('a report_url may not lead to the hub, under any of its names', () => {
  it.each([
    ['hub.shop-payments.com', 'hub.shop-payments.com'],
    ['hub.shop-payments.com.', 'hub.shop-payments.com'],
    ['hub.shop-payments.com', 'HUB.shop-payments.com.'],
    ['hub.shop-payments.com', 'pay.shop-payments.nl'],
    ['pay.shop-payments.nl', 'hub.shop-payments.com'],
    ['payment-hub.firm.workers.dev', 'pay.shop-payments.nl'],
  ])('asked at %s: %s', async (host, reportHost) => {
    const response = await createAt(host, reportHost)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: [{ field: 'report_url', error: 'must not point at the hub itself' }],
    })
  })
})
