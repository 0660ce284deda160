import { describe, expect, it, vi } from 'vitest'
import { makePos, tokenFor } from '../support/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { expectProblem, refundingShop } from './refunding-shop.ts'

const { shop, openJob, paidJob, ask, refund, refundsOf, atMollie, refundedThere, untilRefunded } =
  refundingShop()

describe('a refund is refused', () => {
  it('with the words of the PSP when that refuses it, each time it is asked for', async () => {
    const id = await paidJob()
    shop.world.fault = (request) =>
      request.method === 'POST'
        ? Response.json(
            { status: 422, title: 'Unprocessable', detail: 'The balance is too low' },
            { status: 422 },
          )
        : shop.world.fake.handle(request)
    const key = { 'idempotency-key': 'return-79' }
    for (let times = 0; times < 2; times++) {
      await expectProblem(await ask(id, {}, key), 422, {
        detail: expect.stringContaining('The balance is too low') as string,
      })
    }
    expect(
      shop.world.asked.filter((asked) => asked.startsWith('POST') && asked.endsWith('/refunds')),
    ).toHaveLength(1)
    expect(await refundsOf(id)).toMatchObject([{ status: 'FAILURE' }])
  })

  it('because the PSP has given the money back already, unknown to the hub: the job tells so then', async () => {
    const id = await paidJob()
    refundedThere(id, '12.50')
    expect((await ask(id)).status).toBe(422)
    await untilRefunded(id, '12.50')
    await expectProblem(await ask(id), 409, { code: 'refund-nothing-left' })
  })

  it('when the PSP refuses the key of the account: nothing was taken, and the operator is told, once', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const id = await paidJob()
    shop.world.fault = () =>
      Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    const before = shop.world.asked.length
    expect((await ask(id)).status).toBe(422)
    // Long enough for a look at the payment, which that key would be refused for as well.
    await scheduler.wait(200)
    // Jobs of other tests may ask meanwhile as well.
    const payment = shop.world.fake.payments.find(({ job }) => job === id)?.id ?? 'none'
    const asked = shop.world.asked.slice(before).filter((one) => one.includes(payment))
    expect(asked).toEqual([expect.stringMatching(/^POST .*\/refunds$/)])
    expect(loggedOf(logged, id)).toMatchObject([{ event: 'psp.account-refused' }])
    shop.world.fault = null
    expect(await refund(id)).toMatchObject({ amount: '12.50' })
  })

  it('when nothing was paid, and when nothing is left', async () => {
    await expectProblem(await ask((await openJob()).paymentJob), 409, { code: 'refund-unpaid' })
    const id = await paidJob()
    await refund(id)
    await expectProblem(await ask(id), 409, { code: 'refund-nothing-left' })
  })

  it.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ amount: '1.005' }, 'amount'],
    [{ amount: '12.51' }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ description: 7 }, 'description'],
    [{ description: 'x'.repeat(141) }, 'description'],
    [{ description: 'a\u0000b' }, 'description'],
  ])('with %j, for its %s', async (body, field) => {
    await expectProblem(await ask(await paidJob(), body), 422, { field })
  })

  it('to another point of sale as if there were no such job', async () => {
    const id = await paidJob()
    const other = await tokenFor(await makePos())
    expect((await ask(id, {}, {}, other)).status).toBe(404)
    expect((await ask(crypto.randomUUID())).status).toBe(404)
    expect((await ask(id, {}, {}, 'x'.repeat(160))).status).toBe(401)
    expect(atMollie(id)).toEqual([])
  })
})
