import { describe, expect, it, vi } from 'vitest'
import { send } from '../support/hub/hub.ts'
import { act, get, make } from './client.ts'

async function statusAfter(...actions: string[]): Promise<string> {
  const { id } = await make()
  for (const action of actions) expect([action, (await act(id, action)).status]).toEqual([action, 200])
  return (await get(id)).status
}

describe('an action of a test', () => {
  it.each([
    [['pay'], 'paid'],
    [['fail'], 'failed'],
    [['cancel'], 'canceled'],
    [['expire'], 'expired'],
    [['underway'], 'pending'],
    [['underway', 'arrive'], 'paid'],
    [['underway', 'fail'], 'failed'],
    [['authorize'], 'authorized'],
    [['authorize', 'release'], 'expired'],
    [['authorize', 'capture'], 'paid'],
    [['authorize', 'capture', 'fail-capture'], 'authorized'],
    [['authorize', 'capture', 'refund', 'fail-refund', 'chargeback'], 'paid'],
    [['late'], 'expired'],
    [['late', 'pay-late'], 'paid'],
    [['fail', 'pay-late'], 'paid'],
    [['cancel', 'pay-late'], 'paid'],
    [['pay', 'refund'], 'paid'],
    [['pay', 'refund', 'fail-refund', 'refund'], 'paid'],
    [['pay', 'chargeback', 'reverse-chargeback', 'chargeback'], 'paid'],
    [['wrong-amount'], 'paid'],
    [['slow', 'down', 'refuse', 'pay'], 'paid'],
  ])('%j leaves a payment %s', async (actions, status) => {
    expect(await statusAfter(...actions)).toBe(status)
  })

  it.each([
    [['pay'], 'pay'],
    [['pay'], 'cancel'],
    [['pay'], 'expire'],
    [['pay'], 'fail'],
    [['pay'], 'underway'],
    [['pay'], 'authorize'],
    [['pay'], 'late'],
    [['pay'], 'pay-late'],
    [['pay'], 'wrong-amount'],
    [['underway'], 'cancel'],
    [['underway'], 'pay-late'],
    [['authorize'], 'arrive'],
    [['authorize'], 'cancel'],
    [['authorize'], 'underway'],
    [['underway'], 'release'],
    [[], 'refund'],
    [[], 'chargeback'],
    [['pay'], 'reverse-chargeback'],
    [['pay'], 'fail-refund'],
    [['pay'], 'fail-capture'],
    [['pay'], 'capture'],
    [['authorize'], 'refund'],
    [['authorize'], 'chargeback'],
    [['authorize'], 'fail-capture'],
    [['authorize', 'capture', 'fail-capture'], 'fail-capture'],
    [['authorize', 'release'], 'capture'],
    [['authorize', 'capture'], 'release'],
    [['pay', 'refund'], 'refund'],
    [['pay', 'chargeback'], 'chargeback'],
    [['pay', 'chargeback'], 'refund'],
  ])('after %j cannot be %s, and changes nothing', async (actions, action) => {
    const { id } = await make()
    for (const before of actions) await act(id, before)
    const before = await get(id)
    const answer = await act(id, action)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(new RegExp(`^\\w.{15,} This one is ${before.status}\\.$`)),
    })
    expect(await get(id)).toEqual(before)
  })

  it('answers with the payment', async () => {
    const { id } = await make()
    expect(await (await act(id, 'pay')).json()).toMatchObject({ id, status: 'paid' })
  })

  it('continues by itself after the given number of seconds, and not sooner', async () => {
    const [slow, lost, late, still] = await Promise.all([make(), make(), make(), make()])
    await act(slow.id, 'underway', { after: 60 })
    await act(lost.id, 'underway', { after: 60, outcome: 'failed' })
    await act(late.id, 'late', { after: 60 })
    await act(still.id, 'underway')
    const statuses = async () =>
      Promise.all([slow, lost, late, still].map(async ({ id }) => (await get(id)).status))
    expect(await statuses()).toEqual(['pending', 'pending', 'expired', 'pending'])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect(await statuses()).toEqual(['paid', 'failed', 'paid', 'pending'])
    vi.setSystemTime(Date.now() + 86_400_000)
    expect((await get(still.id)).status).toBe('pending')
  })

  it('takes parts of the amount, but not more than is left', async () => {
    const { id } = await make()
    await act(id, 'pay')
    await act(id, 'refund', { amount: '5' })
    await act(id, 'refund', { amount: '2.50' })
    expect((await act(id, 'refund', { amount: '5.01' })).status).toBe(409)
    await act(id, 'chargeback', { amount: '5.00' })
    expect(await get(id)).toMatchObject({
      amountRefunded: { currency: 'EUR', value: '7.50' },
      amountChargedBack: { currency: 'EUR', value: '5.00' },
      amountRemaining: { currency: 'EUR', value: '0.00' },
    })
  })

  it.each([
    [{ amount: '5.005' }, 422],
    [{ amount: '0.00' }, 422],
    [{ amount: '-1' }, 422],
    [{ amount: 5 }, 422],
    [{ after: -1 }, 422],
    [{ after: 86_401 }, 422],
    [{ after: 1.5 }, 422],
    [{ outcome: 'expired' }, 422],
    ['{', 400],
    ['[]', 422],
    [' '.repeat(5000), 413],
  ])('with %j is refused', async (body, status) => {
    const { id } = await make()
    await act(id, 'pay')
    expect((await act(id, 'refund', body)).status).toBe(status)
    expect(await get(id)).not.toHaveProperty('amountRefunded')
  })

  it('is unknown for another payment, another name, or another method', async () => {
    const { id } = await make()
    expect((await act('tr_00000000000000000000', 'pay')).status).toBe(404)
    expect((await act('nonsense', 'pay')).status).toBe(404)
    const unknown = await act(id, 'explode')
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('reverse-chargeback')
    expect((await act(id, 'constructor')).status).toBe(404)
    expect((await send(`/sandbox/payments/${id}/pay`)).status).toBe(405)
    expect((await get(id)).status).toBe('open')
  })
})
