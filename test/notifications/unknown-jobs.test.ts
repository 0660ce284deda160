import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { type JobJson, create, order, send } from '../support/hub/hub.ts'
import { referenceOf, stored } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const NETWORK = '192.0.2.7'
const shop = liveShop()

function notify(account: string, id: string, reference = 'tr_x') {
  return send(`/notifications/${account}/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ id: reference }),
    headers: { 'cf-connecting-ip': NETWORK },
  })
}

/** Returns whether the hub called the object of an id. Other tests' jobs go on meanwhile. */
function watchObjects() {
  const spy = vi.spyOn(env.PAYMENT_JOB, 'getByName')
  return (id: string) => spy.mock.calls.some(([name]) => name === id)
}

describe('an unsigned notification of a job that does not exist', () => {
  it('counts for its network and account, and gets a 200', async () => {
    const counted = vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit')
    expect((await notify('sandbox', crypto.randomUUID())).status).toBe(200)
    expect(counted).toHaveBeenCalledWith({ key: `notify sandbox ${NETWORK}` })
  })

  it('starts no object above the limit, and still gets a 200', async () => {
    vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
    const isCalled = watchObjects()
    const id = crypto.randomUUID()
    expect((await notify('sandbox', id)).status).toBe(200)
    expect(isCalled(id)).toBe(false)
  })
})

it.each([
  ['with an Idempotency-Key', { 'idempotency-key': 'k-1' }],
  ['without one', {}],
])(
  'a job %s is pulled when its PSP notifies, however many unknown jobs others named there',
  async (_, key) => {
    const { paymentJob: id } = await (await create(shop.token, order, key)).json<JobJson>()
    vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
    const { account, link } = await stored(id)
    shop.world.fake.setStatus('paid')
    expect((await notify(account, link, await referenceOf(id))).status).toBe(200)
    expect((await stored(id)).status).toBe('SUCCESS')
  },
)
