import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobJson, create, send, tokenFor } from '../support/hub.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

type RefundJson = { refund: string; status: string }

let world: ReturnType<typeof outside>
let token: string
beforeEach(async () => {
  world = outside()
  token = await tokenFor(await makeLivePos())
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

async function paidJob(): Promise<string> {
  const { paymentJob } = await (await create(token)).json<JobJson>()
  world.fake.bring(paymentJob, 'paid')
  await send(`/return/${paymentJob}`)
  return paymentJob
}
function paymentOf(id: string) {
  return world.fake.payments.find(({ job }) => job === id)
}
/**
 * How often the PSP was asked for a refund of this payment. The fake tells repetitions by their
 * key, and hides them.
 */
function postsOf(id: string): number {
  return world.asked.filter((asked) => asked === `POST /v2/payments/${paymentOf(id)?.id}/refunds`).length
}

async function refund(id: string, key: string): Promise<RefundJson> {
  const response = await send(`/v2/paymentjobs/${id}/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ amount: '5.00' }),
  })
  expect(response.status).toBe(201)
  return response.json()
}

describe('a refund that is asked for again under its Idempotency-Key is asked for once at the PSP', () => {
  /** The PSP takes the refund, but its answer is lost: the hub does not know whether it did. */
  const loseAnswers = (): void => {
    world.fault = async (request) => {
      const response = await world.fake.handle(request)
      return request.method === 'POST' ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response
    }
  }

  it('one after the other, when the answer to the first was lost', async () => {
    const id = await paidJob()
    loseAnswers()
    const answers = [await refund(id, 'once-1'), await refund(id, 'once-1'), await refund(id, 'once-1')]
    expect(new Set(answers.map(({ refund: made }) => made)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(postsOf(id)).toBe(1)
  })

  it('by many at once, when the answer was lost', async () => {
    const id = await paidJob()
    loseAnswers()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(id, 'once-2')))
    expect(new Set(answers.map(({ refund: made }) => made)).size).toBe(1)
    expect(postsOf(id)).toBe(1)
  })

  it('by another one, while the PSP is still being asked', async () => {
    const id = await paidJob()
    const answer = Promise.withResolvers<void>()
    world.fault = async (request) => {
      // The first request alone waits, so that a second one would show in the count instead of a
      // test that hangs.
      if (request.method === 'POST' && postsOf(id) === 1) await answer.promise
      return world.fake.handle(request)
    }
    const first = refund(id, 'once-3')
    await vi.waitFor(() => expect(postsOf(id)).toBe(1))
    const second = await refund(id, 'once-3')
    answer.resolve()
    expect(second).toMatchObject({ refund: (await first).refund, status: 'PENDING' })
    expect(postsOf(id)).toBe(1)
    expect(paymentOf(id)?.refunds).toHaveLength(1)
  })

  it('but the same key at two jobs is two refunds', async () => {
    const [one, other] = [await paidJob(), await paidJob()]
    const answers = [await refund(one, 'once-6'), await refund(other, 'once-6')]
    expect(new Set(answers.map(({ refund: made }) => made)).size).toBe(2)
    expect([postsOf(one), postsOf(other)]).toEqual([1, 1])
  })

  it('but two keys are two refunds', async () => {
    const id = await paidJob()
    const answers = await Promise.all([refund(id, 'once-4'), refund(id, 'once-5')])
    expect(new Set(answers.map(({ refund: made }) => made)).size).toBe(2)
    expect(postsOf(id)).toBe(2)
  })
})
