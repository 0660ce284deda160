import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HubError } from '../../src/client/hub-error.ts'
import { checkSecret, newConnection, wordsFor } from '../../src/site/browser/till/session.ts'
import { TEXTS, isSaying, say, speechOf } from '../../src/site/browser/till/speech.ts'
import { standingOf, totalsOf } from '../../src/site/browser/till/words.ts'

const YEN = { currency: 'JPY', amountPaid: '1250.00' }

describe('what a till says of a payment', () => {
  const paid = { status: 'SUCCESS', currency: 'EUR', amountPaid: '12.50' } as const
  const refund = (amount: string, status: 'PENDING' | 'SUCCESS' | 'FAILURE') => ({ amount, status })
  type Known = Parameters<typeof standingOf>[0]
  type Said = ReturnType<typeof standingOf>

  it.each<[string, Partial<Known>, ReturnType<typeof refund>[], Said['word'], Said['hint'], number?]>([
    ['that is open', { status: 'PENDING', amountPaid: 0 }, [], 'waiting', 'handNothingYet'],
    ['that is reserved', { status: 'PENDING', stage: 'authorized' }, [], 'reserved', 'notThereYet'],
    ['that is paid', {}, [], 'paid', 'handOver'],
    ['that was refunded', { amountRefunded: '12.50' }, [], 'refunded', 'handNothing'],
    ['whose refund is on its way', {}, [refund('12.50', 'PENDING')], 'refunded', 'handNothing'],
    ['in both', { amountRefunded: '5.00' }, [refund('5.00', 'SUCCESS')], 'paidRefunded', 'handRest', 500],
    ['whose refund failed', {}, [refund('12.50', 'FAILURE')], 'paid', 'handOver'],
    ['of which a part went back', { amountRefunded: '0.05' }, [], 'paidRefunded', 'handRest', 5],
    ['that was charged back', { amountChargedBack: '12.50' }, [], 'chargedBack', 'handNothing'],
    ['of which a part was charged back', { amountChargedBack: '2' }, [], 'paidChargedBack', 'handRest', 200],
    ['both ways', { amountRefunded: '5.00', amountChargedBack: '7.50' }, [], 'refunded', 'handNothing'],
    ['in yen', { ...YEN, amountRefunded: '250.00' }, [], 'paidRefunded', 'handRest', 250],
  ])('%s', (_, known, refunds, word, hint, back) => {
    expect(standingOf({ ...paid, ...known }, refunds)).toMatchObject({ word, hint })
    expect(standingOf({ ...paid, ...known }, refunds).back).toBe(back)
  })

  it.each(['CANCELLED', 'EXPIRED'] as const)('that is %s is no alarm', (status) => {
    expect(standingOf({ ...paid, status }, []).mood).toBe('open')
    expect(standingOf({ ...paid, status: 'FAILURE' }, []).mood).toBe('bad')
  })
})

describe('the language of a till', () => {
  it.each([
    [['nl-BE', 'en'], 'nl', /^€\s12,50$/],
    [['xx', 'fr-CH', 'de'], 'fr', /^12[,.]50\sCHF$/, 'CHF'],
    [['en-GB'], 'en', /^€12\.50$/],
    [['xx'], 'en', /^€12\.50$/],
    [[], 'en', /^€12\.50$/],
  ])(
    'of a browser that asks for %j is %s, and so is its money',
    (wanted, language, money, currency = 'EUR') => {
      const speech = speechOf(wanted)
      expect(speech.language).toBe(language)
      expect(speech.money(1250, currency)).toMatch(money)
    },
  )

  it('has figures with the decimals of their currency, also below zero', () => {
    const { figure } = speechOf(['de'])
    expect([figure(-5, 'EUR'), figure(1_283_430, 'EUR'), figure(1250, 'JPY')]).toEqual([
      '-0,05',
      '12.834,30',
      '1.250',
    ])
  })

  it('fills in what a text leaves open', () => {
    expect(speechOf(['nl']).say('refundAmount', { amount: '€ 5,00' })).toContain('€ 5,00')
  })

  const { en, ...others } = TEXTS
  it.each(Object.entries(others))('%s has each text, in its own words, with the same values', (_, texts) => {
    const holes = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted())
    for (const [key, text] of Object.entries(en)) {
      const said = isSaying(key) ? texts[key] : ''
      expect(holes(said), key).toEqual(holes(text))
      expect(said, key).toMatch(/\S/)
    }
    const same = Object.entries(en).filter(([key, text]) => isSaying(key) && texts[key] === text)
    // "Status" is the same in several languages.
    expect(same.length).toBeLessThan(4)
  })
})

describe('an error as a till says it', () => {
  const hubError = (more: object) =>
    new HubError({ code: 'unknown', message: 'Told by the API.', ...more } as never)

  it.each([
    [{ code: 'refund-too-much', status: 422 }, say('tooMuch'), null],
    [{ code: 'api-key-invalid', status: 401 }, say('keyWrong'), null],
    [{ code: 'no-answer', status: null }, say('noAnswer'), null],
    [{ code: 'unavailable', status: 503 }, say('noAnswer'), null],
    [{ code: 'body-malformed', status: 400 }, say('failedToDo'), 'Told by the API.'],
    [
      { status: 422, errors: [{ field: 'amount', error: 'must be less' }] },
      say('check', { fields: say('amount') }),
      'must be less',
    ],
    [
      { status: 422, errors: [{ field: 'timestamp', error: 'must be now' }] },
      say('failedToDo'),
      'must be now',
    ],
  ])('%j', (error, says, detail) => {
    expect(wordsFor(hubError(error))).toEqual({ says, detail })
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
      order('card', '100.00', {}, 'JPY'),
    ])
    const lines = (currency: string) => totals.get(currency)?.map((one) => Object.values(one).join(' '))
    expect(lines('EUR')).toEqual(['ideal 2 2000 1750 250', 'card 1 5 5 0', ' 3 2005 1755 250'])
    expect(lines('JPY')).toEqual(['card 1 100 0 100', ' 1 100 0 100'])
  })
})

describe('the form of a signing secret', () => {
  const right = `${'aZ0+/'.repeat(12)}wxyz`
  it.each<[string, string, boolean]>([
    ['that is right', right, true],
    ['that is not given', '', true],
    ['that is too short', right.slice(1), false],
    ['that is too long', `${right}a`, false],
    ['with a letter that none has', `${right.slice(1)}_`, false],
    ['with a space', `${right.slice(0, 30)} ${right.slice(31)}`, false],
  ])('%s', (_, secret, isRight) => {
    if (isRight) expect(() => checkSecret(secret)).not.toThrow()
    else expect(() => checkSecret(secret)).toThrow(String(secret.length))
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
