import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newConnection, wrongSecret } from '../../src/site/browser/till/session.ts'
import { standingOf, totalsOf } from '../../src/site/browser/till/words.ts'

const YEN = { currency: 'JPY', amountPaid: '1250' }

describe('what a till says of a payment', () => {
  const paid = { status: 'SUCCESS', currency: 'EUR', amountPaid: '12.50' } as const
  const refund = (amount: string, status: 'PENDING' | 'SUCCESS' | 'FAILURE') => ({ amount, status })
  type Known = Parameters<typeof standingOf>[0]

  it.each<[string, Partial<Known>, ReturnType<typeof refund>[], words: string, hint: string]>([
    ['that is open', { status: 'PENDING', amountPaid: 0 }, [], 'Waiting for the customer', 'yet'],
    ['that is reserved', { status: 'PENDING', stage: 'authorized' }, [], 'Reserved', 'not there yet'],
    ['that is paid', {}, [], 'Paid', 'Hand over the goods.'],
    ['that was refunded', { amountRefunded: '12.50' }, [], 'Refunded', 'nothing over'],
    ['whose refund is on its way', {}, [refund('12.50', 'PENDING')], 'Refunded', 'nothing over'],
    ['in both', { amountRefunded: '5.00' }, [refund('5.00', 'SUCCESS')], 'Paid, refunded EUR 5.00', 'still'],
    ['whose refund failed', {}, [refund('12.50', 'FAILURE')], 'Paid', 'Hand over the goods.'],
    ['of which a part went back', { amountRefunded: '0.05' }, [], 'Paid, refunded EUR 0.05', 'still'],
    ['that was charged back', { amountChargedBack: '12.50' }, [], 'Charged back', 'nothing over'],
    ['both ways', { amountRefunded: '5.00', amountChargedBack: '7.50' }, [], 'Refunded', 'nothing over'],
    ['in yen', { ...YEN, amountRefunded: '250' }, [], 'Paid, refunded JPY 250', 'still'],
  ])('%s', (_, known, refunds, words, hint) => {
    const said = standingOf({ ...paid, ...known }, refunds)
    expect(said.words).toBe(words)
    expect(said.hint).toContain(hint)
  })
})

describe('the totals of a day', () => {
  const order = (paymentMethod: string, amountPaid: string, back: object = {}, currency = 'EUR') => ({
    currency,
    paymentMethod,
    amountPaid,
    ...back,
  })

  it('are by method, with a sum for each currency, and count what was not paid nowhere', () => {
    const totals = totalsOf([
      order('ideal', '12.50', { amountRefunded: '2.50' }),
      order('card', '0.05', { amountChargedBack: '0.05' }),
      order('ideal', '0.00'),
      order('ideal', '7.50', { amountRefunded: '7.50', amountChargedBack: '7.50' }),
      order('card', '100', {}, 'JPY'),
    ])
    expect(totals.map((total) => Object.values(total).join(' '))).toEqual([
      'EUR ideal 2 20.00 17.50 2.50',
      'EUR card 1 0.05 0.05 0.00',
      'EUR  3 20.05 17.55 2.50',
      'JPY card 1 100 0 100',
      'JPY  1 100 0 100',
    ])
  })
})

describe('the form of a signing secret', () => {
  const right = `${'aZ0+/'.repeat(12)}wxyz`
  it.each<[string, string, RegExp | null]>([
    ['that is right', right, null],
    ['that is not given', '', null],
    ['that is too short', right.slice(1), /64 characters. This one has 63/],
    ['that is too long', `${right}a`, /This one has 65/],
    ['with a letter that none has', `whsec_${right}`, /“_”/],
    ['with a space', `${right.slice(0, 30)} ${right.slice(31)}`, /a space/],
    ['with an emoji', `👍${right.slice(1)}`, /“👍”/],
  ])('%s', (_, secret, wrong) => {
    if (wrong === null) expect(wrongSecret(secret)).toBeNull()
    else expect(wrongSecret(secret)).toMatch(wrong)
  })
})

describe('the connection of a till', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const tried = () => {
    const seen: boolean[] = []
    let answer = (): Promise<Response> => Promise.resolve(new Response())
    const { fetch, onChange } = newConnection(() => answer())
    onChange((isGone) => seen.push(isGone))
    return {
      seen,
      ask: (next: typeof answer, init: RequestInit = {}) => {
        answer = next
        return fetch('https://hub.example.com/', init).catch(() => null)
      },
    }
  }
  const broken = () => Promise.reject(new TypeError('Failed to fetch'))
  const fine = () => Promise.resolve(new Response())
  const later = () => vi.advanceTimersByTimeAsync(3500)

  it('is gone some seconds after a call failed, and there again with the first answer', async () => {
    const { seen, ask } = tried()
    await ask(broken)
    expect(seen).toEqual([false])
    await later()
    await ask(broken)
    await ask(fine)
    await later()
    expect(seen).toEqual([false, true, false])
  })

  it('is not gone when an answer comes in time, or when a call was stopped', async () => {
    const { seen, ask } = tried()
    await ask(broken)
    await ask(fine)
    await ask(broken, { signal: AbortSignal.abort() })
    await later()
    expect(seen).toEqual([false])
  })

  it('is gone when a proxy answers for the hub, and not when the hub itself is busy', async () => {
    const { seen, ask } = tried()
    await ask(() => Promise.resolve(new Response(null, { status: 503, headers: { 'x-request-id': 'a' } })))
    await later()
    expect(seen).toEqual([false])
    await ask(() => Promise.resolve(new Response(null, { status: 502 })))
    await later()
    expect(seen).toEqual([false, true])
  })
})
