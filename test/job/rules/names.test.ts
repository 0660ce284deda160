import { describe, expect, it } from 'vitest'
import { isAccountId, isDerivedId, parseJobId, uuidV8 } from '../../../src/contract/ids.ts'
import { customerLanguage, LANGUAGES } from '../../../src/platform/http/preferences.ts'
import { currenciesOf, FORMER_METHODS, PAYMENT_METHODS } from '../../../src/contract/payment-methods.ts'
import { nearest } from '../../../src/platform/nearest.ts'
import { hasRole, type Role } from '../../../src/contract/operator.ts'
import { traceLine } from '../../../src/contract/trace-line.ts'

describe('the id of an account', () => {
  it.each(['a', '7', 'mollie-nl', 'a-', 'a'.repeat(40)])('may be %s', (text) => {
    expect(isAccountId(text)).toBe(true)
  })

  it.each(['', '-a', 'A', 'a b', 'a_b', ' a', 'a\n', 'a/b', 'é', 'a'.repeat(41)])('may not be %j', (text) => {
    expect(isAccountId(text)).toBe(false)
  })
})

describe('the language of texts for a customer', () => {
  it.each([
    ['nl', 'nl'],
    ['NL', 'nl'],
    ['nl_BE', 'nl'],
    ['nl-BE', 'nl'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['nb', 'nb'],
    ['el', 'el'],
    ['nld', undefined],
    ['nlX', undefined],
    ['ja', undefined],
    ['', undefined],
  ] as const)('of %s is %s', (tag, language) => {
    expect(customerLanguage(tag, LANGUAGES)).toBe(language)
  })

  it('is one of those that the page has', () => {
    expect(customerLanguage('nl', ['en', 'de'])).toBeUndefined()
  })
})

describe('the id of a job', () => {
  const DERIVED = uuidV8(new Uint8Array(16).fill(0xff))

  it('is derived where its version says so', () => {
    expect(isDerivedId(DERIVED)).toBe(true)
    expect(isDerivedId('8f2c1d1e-8888-4888-8888-888888888888')).toBe(false)
  })

  it('is read in small and in capital letters, and nothing else is', () => {
    expect(parseJobId(DERIVED.toUpperCase())).toBe(DERIVED)
    expect(parseJobId(`${DERIVED}0`)).toBeNull()
  })
})

describe('a payment method', () => {
  it.each([
    ['ideal', ['EUR']],
    ['WERO', ['EUR']],
    ['mybank', ['EUR']],
    ['sepa', ['EUR']],
    ['bancomatpay', ['EUR']],
    ['blik', ['PLN']],
    ['twint', ['CHF']],
    ['swish', ['SEK']],
    ['bacs', ['GBP']],
    ['pix', ['BRL']],
    ['creditcard', undefined],
    ['', undefined],
  ])('%s exists in %j alone', (method, currencies) => {
    expect(currenciesOf(method)).toEqual(currencies)
  })

  it('has one name of its own in the list of common ones, and none that no PSP takes', () => {
    expect(new Set(PAYMENT_METHODS).size).toBe(PAYMENT_METHODS.length)
    expect(PAYMENT_METHODS).toEqual(
      expect.arrayContaining(['ideal', 'applepay', 'googlepay', 'alipay', 'wechatpay', 'giftcard']),
    )
    for (const method of PAYMENT_METHODS) expect(method).toMatch(/^[a-z0-9]+$/)
    expect(FORMER_METHODS).toEqual(['giropay', 'in3'])
    expect(PAYMENT_METHODS.filter((method) => FORMER_METHODS.includes(method))).toEqual([])
  })
})

describe('the word that was probably meant', () => {
  const COMMANDS = ['create', 'credentials', 'list', 'remove', 'resend', 'no']

  it.each([
    ['create', 'create'],
    ['craete', 'create'],
    ['creat', 'create'],
    ['ccreate', 'create'],
    ['crxate', 'create'],
    ['ilst', 'list'],
    ['lit', 'list'],
    ['lisst', 'list'],
    ['rsend', 'resend'],
    ['resned', 'resend'],
    ['removal', 'remove'],
    ['cred', 'credentials'],
    ['on', 'no'],
    ['n', 'no'],
    ['xy', null],
    ['lxxt', null],
    ['stli', null],
    ['aaaaaa', null],
  ])('for %s is %s', (word, meant) => {
    expect(nearest(word, COMMANDS)).toBe(meant)
  })

  it('is the nearest of several, wherever it stands', () => {
    expect(nearest('resent', ['present', 'resend', 'rest'])).toBe('present')
    expect(nearest('resend', ['present', 'resent', 'resend'])).toBe('resend')
  })

  it('is none where there is nothing to choose from', () => {
    expect(nearest('list', [])).toBeNull()
  })
})

const ROLES: readonly Role[] = ['viewer', 'support', 'operator']
it.each(ROLES)('an operator who is %s may do what each role before may, and no more', (role) => {
  const may = ROLES.slice(0, ROLES.indexOf(role) + 1)
  expect(ROLES.filter((needed) => hasRole({ role }, needed))).toEqual(may)
})

it('a step of the trace is hashed member by member, what is missing as nothing', () => {
  const line = traceLine({
    amountChargedBack: '0.00',
    creationDate: 'c',
    action: 'Start',
    transactionId: 't',
  })
  expect(line).toBe('c|t|Start||||||0.00')
})
