import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Account,
  type Profile,
  SANDBOX_ACCOUNT,
  accountsFor,
  routedMethods,
} from '../../src/registry/profile.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'

function mollieAccount(id: string): Account {
  return { id, psp: 'mollie', mode: 'live', sealed: 'sealed' }
}
function route(paymentMethod: string, account: string) {
  return { paymentMethod, account }
}

function profile(changes: Partial<Profile> = {}): Profile {
  return sampleProfile({
    mode: 'live',
    routes: [route('*', 'acc_rest'), route('ideal', 'acc_ideal')],
    accounts: [mollieAccount('acc_ideal'), mollieAccount('acc_rest')],
    ...changes,
  })
}

describe('the account of a payment method', () => {
  it('is that of its own route, even if the route of all methods comes first', () => {
    expect(accountsFor(profile(), 'ideal')).toEqual([mollieAccount('acc_ideal')])
  })

  it('is that of the route of all methods if it has none of its own', () => {
    expect(accountsFor(profile(), 'creditcard')).toEqual([mollieAccount('acc_rest')])
  })

  it('is that of its first route, then those of the others in order', () => {
    const routes = [route('ideal', 'acc_rest'), route('*', 'acc_more'), route('ideal', 'acc_ideal')]
    expect(accountsFor(profile({ routes }), 'ideal')).toEqual([
      mollieAccount('acc_rest'),
      mollieAccount('acc_ideal'),
    ])
  })

  it.each(['iDEAL', 'IDEAL', 'ideal'])('is found in capital or small letters: %s', (method) => {
    expect(accountsFor(profile(), method)).toEqual([mollieAccount('acc_ideal')])
  })

  it.each([
    ['no route takes it', { routes: [route('ideal', 'acc_ideal')] }],
    ['there is no route at all', { routes: [] }],
    ['its route names an account that is not there', { routes: [route('creditcard', 'acc_gone')] }],
  ])('is none when %s', (_, changes) => {
    expect(accountsFor(profile(changes), 'creditcard')).toEqual([])
  })

  it('never crosses from one mode to the other', () => {
    const name = fc.constantFrom('sandbox', 'acc_1', 'acc_2', 'mollie')
    const method = fc.constantFrom('ideal', 'creditcard', '*', 'sandbox')
    const anyProfile = fc.record({
      mode: fc.constantFrom('test', 'live'),
      routes: fc.array(fc.record({ paymentMethod: method, account: name })),
      accounts: fc.array(
        fc.record({
          id: name,
          psp: fc.constantFrom('sandbox', 'mollie'),
          mode: fc.constantFrom('test', 'live'),
          sealed: fc.string(),
        }),
      ),
    })
    fc.assert(
      fc.property(anyProfile, method, (changes, asked) => {
        const accounts = accountsFor(profile(changes), asked)
        if (changes.mode === 'test') expect(accounts).toEqual([SANDBOX_ACCOUNT])
        else expect(accounts.map(({ psp }) => psp)).not.toContain('sandbox')
      }),
    )
  })
})

it('lists each payment method that has a route once', () => {
  const routes = [route('ideal', 'acc_rest'), route('ideal', 'acc_ideal'), route('*', 'acc_rest')]
  expect(routedMethods(profile({ routes }))).toEqual(['ideal', '*'])
})
