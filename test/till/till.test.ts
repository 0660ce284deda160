import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HubError } from '../../src/client/hub-error.ts'
import type { PaymentJob, Step } from '../../src/contract/payment-job.ts'
import { TERMINAL_WORDS } from '../../src/contract/terminal-words.ts'
import { checkSecret, newConnection, wordsFor } from '../../src/till/session.ts'
import { TEXTS, isSaying, say, speechOf } from '../../src/till/speech.ts'
import { sorted, terminalToUse } from '../../src/till/terminals.ts'
import { type Taking, isTerminalAtFault, saysWhy, standingOf, totalsOf } from '../../src/till/words.ts'

const YEN = { currency: 'JPY', amountPaid: '1250.00' }

describe('the words of a till for a payment', () => {
  const paid = { status: 'SUCCESS', currency: 'EUR', amountPaid: '12.50' } as const
  const refund = (amount: string, status: 'PENDING' | 'SUCCESS' | 'FAILURE') => ({ amount, status })
  type Known = Parameters<typeof standingOf>[0]
  type Said = ReturnType<typeof standingOf>
  const at = (stage: NonNullable<Step['stage']>) => ({
    payments: { steps: [{ stage }] },
  })
  const terminal = (state: NonNullable<PaymentJob['terminal']>['state']) => ({
    status: 'PENDING' as const,
    amountPaid: '0.00',
    terminal: { id: 'one', state },
  })
  const refused = (error: string) => ({ ...terminal('ended'), status: 'FAILURE' as const, error })

  it.each<[string, Partial<Known>, ReturnType<typeof refund>[], Said['word'], Said['hint'], number?]>([
    ['that is open', { status: 'PENDING', amountPaid: 0 }, [], 'waiting', 'handNothingYet'],
    ['that is reserved', { status: 'PENDING', ...at('authorized') }, [], 'reserved', 'notThereYet'],
    ['that takes days', { ...terminal('starting'), ...at('underway') }, [], 'underway', 'takesDays'],
    ['that a terminal is asked for', terminal('starting'), [], 'asking', 'handNothingYet'],
    ['for which a card is awaited', terminal('waiting-for-card'), [], 'waitingForCard', 'handNothingYet'],
    ['whose card was read', terminal('card-read'), [], 'cardRead', 'handNothingYet'],
    ['that the bank is asked for', terminal('authorising'), [], 'askingBank', 'handNothingYet'],
    ['that is in doubt', terminal('unknown'), [], 'doNotTake', 'lookAtTerminal'],
    ['at a busy terminal', refused('terminal_busy: At work.'), [], 'notPaid', 'terminalBusy'],
    ['at one that is off', refused('terminal_off: Off.'), [], 'notPaid', 'terminalOff'],
    ['at one out of reach', refused('terminal_unreachable: Gone.'), [], 'notPaid', 'terminalUnreachable'],
    ['whose card was declined', refused('declined: 05.'), [], 'notPaid', 'declined'],
    ['refused in other words', refused('No: the PSP said so.'), [], 'notPaid', 'noMoney'],
    ['of which a part came', { ...refused('declined: 05.'), amountPaid: '5.00' }, [], 'failed', 'payAgain'],
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

  it.each(['CANCELLED', 'EXPIRED'] as const)('for %s are no alarm', (status) => {
    expect(standingOf({ ...paid, status }, []).mood).toBe('open')
    expect(standingOf({ ...paid, status: 'FAILURE' }, []).mood).toBe('bad')
  })
})

describe('a payment that ended at a terminal', () => {
  const ended = (error: string | null, more: object = {}) => ({
    status: 'FAILURE' as const,
    currency: 'EUR',
    amountPaid: '0.00',
    terminal: { id: 'one', state: 'ended' as const },
    error,
    ...more,
  })

  it.each(['FAILURE', 'CANCELLED', 'EXPIRED'] as const)(
    'as %s is in doubt if the card may have been charged, whatever its error says',
    (status) => {
      const terminal = { id: 'one', state: 'unknown' as const }
      const standing = standingOf(ended('declined: No money was taken.', { status, terminal }), [])
      expect(standing).toMatchObject({ word: 'doNotTake', mood: 'doubt', hint: 'lookFirst' })
    },
  )

  it.each(Object.keys(TERMINAL_WORDS))('with %s has a hint that says what to do', (word) => {
    const { hint, mood } = standingOf(ended(`${word}: In the words of the PSP.`), [])
    expect(mood).toBe('bad')
    // Only these say for certain that the PSP took nothing.
    expect(hint === 'takeRest' || hint === 'terminalUnreachable').toBe(
      ['paid_in_part', 'terminal_unreachable'].includes(word),
    )
    for (const texts of Object.values(TEXTS)) expect(Object.keys(texts)).toContain(hint)
  })
})

describe("the hub's own English", () => {
  it.each([
    ['declined: The bank declined the card.', 'ended', false],
    ['perhaps_charged: Look at the PSP.', 'unknown', false],
    ['refused_other: Only the PSP knows why.', 'ended', true],
    ['No: the PSP said so.', 'ended', true],
  ] as const)('is left out if the till has words for it: %s', (error, state, isShown) => {
    expect(saysWhy({ error, terminal: { id: 'one', state } })).toBe(!isShown)
  })
})

describe('the terminals of a till', () => {
  const one = (id: string, more: object = {}) => ({
    id,
    name: id.toUpperCase(),
    isDefault: false,
    isOn: null,
    busyWith: null,
    ...more,
  })
  const BUSY = { busyWith: '5b0c5f4e-9c1d-4f5e-8a7b-3c2d1e0f9a8b' }

  it('are sorted by name, after the default', () => {
    const offered = sorted([one('c'), one('b'), one('a'), one('z', { isDefault: true })])
    expect(offered.map(({ id }) => id)).toEqual(['z', 'a', 'b', 'c'])
  })

  it.each([
    ['the first', [one('a'), one('b')], {}, 'a'],
    ['the last that was used, also where it is busy', [one('a'), one('b', BUSY)], { last: 'b' }, 'b'],
    ['the first, where the last is no longer there', [one('a'), one('b')], { last: 'c' }, 'a'],
    ['the first that is on and free', [one('a', BUSY), one('b', { isOn: false }), one('c')], {}, 'c'],
    ['another than the one to avoid', [one('a'), one('b')], { last: 'a', avoid: 'a' }, 'b'],
    ['another, also where that is busy', [one('a'), one('b', BUSY)], { avoid: 'a' }, 'b'],
    ['the one to avoid, where there is no other', [one('a')], { avoid: 'a' }, 'a'],
    ['none, where there is none', [], {}, ''],
  ])('begin with %s', (_, terminals, used, id) => {
    expect(terminalToUse(terminals, used)).toBe(id)
  })

  it('are at fault if the payment never began, but not for a declined card', () => {
    const errors = ['terminal_busy: a', 'terminal_off: a', 'terminal_unreachable: a', 'declined: a', null]
    expect(errors.map((error) => isTerminalAtFault({ error }))).toEqual([true, true, true, false, false])
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

  it('fills in the values of a text', () => {
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

describe('an error in the words of a till', () => {
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
  const taken = (way: Taking['way'], part: string, amountPaid: string, more: object = {}) => ({
    currency: 'EUR',
    way,
    part,
    amountPaid,
    ...more,
  })

  it('are by way to pay and its parts, with a sum for each currency, and leave out unpaid orders', () => {
    const totals = totalsOf([
      taken('page', 'ideal', '12.50', { amountRefunded: '2.50' }),
      taken('terminal', 'counter-1', '13.75', { amountTip: '1.25' }),
      taken('page', 'card', '0.05', { amountChargedBack: '0.05' }),
      taken('cash', '', '7.00'),
      taken('page', 'ideal', '0.00'),
      taken('terminal', 'counter-2', '1.00'),
      taken('page', 'ideal', '7.50', { amountRefunded: '7.50', amountChargedBack: '7.50' }),
      taken('page', 'card', '100.00', { currency: 'JPY' }),
    ])
    const lines = (currency: string) =>
      totals
        .get(currency)
        ?.map((one) => [one.way, one.part, one.payments, one.paid, one.back, one.left, one.tips].join(' '))
    expect(lines('EUR')).toEqual([
      'page  3 2005 1755 250 0',
      'page ideal 2 2000 1750 250 0',
      'page card 1 5 5 0 0',
      'terminal  2 1475 0 1475 125',
      'terminal counter-1 1 1375 0 1375 125',
      'terminal counter-2 1 100 0 100 0',
      'cash  1 700 0 700 0',
      '  6 4180 1755 2425 125',
    ])
    expect(lines('JPY')).toEqual(['page  1 100 0 100 0', 'page card 1 100 0 100 0', '  1 100 0 100 0'])
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

  it('is gone some seconds after a call failed, and back with the first answer', async () => {
    const { seen, ask } = tried()
    await ask(broken)
    expect(seen).toEqual([false])
    await later()
    await ask(broken)
    await ask(fine)
    await later()
    expect(seen).toEqual([false, true, false])
  })

  it('stays if an answer comes in time, or if the till aborts a call', async () => {
    const { seen, ask } = tried()
    await ask(broken)
    await ask(fine)
    await ask(broken, { signal: AbortSignal.abort() })
    await later()
    expect(seen).toEqual([false])
  })

  it('is gone when a proxy answers for the hub, but not when the hub itself is busy', async () => {
    const { seen, ask } = tried()
    await ask(() => Promise.resolve(new Response(null, { status: 503, headers: { 'x-request-id': 'a' } })))
    await later()
    expect(seen).toEqual([false])
    await ask(() => Promise.resolve(new Response(null, { status: 502 })))
    await later()
    expect(seen).toEqual([false, true])
  })
})
