import { describe, expect, it } from 'vitest'
import { currenciesOf } from '../../src/contract/payment-methods.ts'
import type { Mode } from '../../src/contract/values.ts'
import type { Fetch, Psp } from '../../src/psp/port.ts'
import { fakeOf } from '../support/fakes.ts'
import { SAMPLES } from './samples.ts'
import { patience, paymentRequestOf } from './scripted.ts'

/** Where a contract is played: at a PSP's double, or at its real sandbox. */
type Place = { psp: string; credentials: object; mode: Mode; fetch: Fetch; endpoint?: string }

function double(psp: string): Place {
  const { accounts, handle } = fakeOf(psp)
  return { psp, credentials: accounts[0], mode: 'live', fetch: handle }
}

/** The variable with the credentials of an account in test mode, as JSON; `endpoint` replaces the PSP's address. */
function variableFor(psp: string): string {
  return `${psp.toUpperCase()}_SANDBOX`
}

function sandbox(psp: string): Place {
  const { endpoint, ...credentials } = JSON.parse(process.env[variableFor(psp)] ?? '{}')
  return {
    psp,
    credentials,
    mode: 'test',
    fetch: (request) => fetch(request),
    ...(endpoint ? { endpoint } : {}),
  }
}

/** The credentials with another key, which the PSP does not know. */
function withWrongKey(credentials: object): object {
  const [[name, key] = ['', '']] = Object.entries(credentials)
  return { ...credentials, [name]: String(key).replace(/.{4}$/, '9x9x') }
}

function contractAt(place: () => Place): void {
  const opened = (credentials?: object): Psp => {
    const { psp, ...connection } = place()
    const { adapter } = SAMPLES[psp] ?? {}
    if (!adapter) throw new Error(`${psp} has no samples`)
    return adapter.open({ ...connection, credentials: credentials ?? connection.credentials })
  }
  const order = (changes: object = {}) =>
    paymentRequestOf(crypto.randomUUID(), { paymentMethod: 'any', ...changes })

  it('has an account that works', async () => {
    expect(await opened().check()).toEqual({ is: 'working' })
  })

  it('refuses another key', async () => {
    const other = opened(withWrongKey(place().credentials))
    expect(await other.check()).toMatchObject({ is: 'refused' })
    expect(await other.announce(order(), patience)).toMatchObject({ is: 'unavailable', accountRefused: true })
  })

  it('makes one payment of an order that comes twice, which is open, and ends it', async () => {
    const psp = opened()
    const request = order()
    const made = await psp.announce(request, patience)
    expect(made).toMatchObject({
      is: 'announced',
      way: 'page',
      checkoutUrl: expect.stringMatching(/^https:/),
    })
    expect(await psp.announce(request, patience)).toEqual(made)
    const reference = made.is === 'announced' ? made.reference : ''
    const open = { is: 'observed', status: 'PENDING', stage: { is: 'open' }, paid: 0 }
    expect(await psp.ask(reference, 'EUR')).toMatchObject(open)
    if (reference !== request.job) expect(await psp.jobOf?.(reference)).toBe(request.job)
    expect(await psp.stop(reference, 'EUR')).toMatchObject({ is: 'observed', paid: 0 })
  })

  it('knows no payment that it did not make', async () => {
    const { reference = '' } = SAMPLES[place().psp] ?? {}
    expect(await opened().ask(reference, 'EUR')).toEqual({ is: 'unknown' })
  })

  it('takes each payment method, or refuses it for itself or its amount', async () => {
    const psp = opened()
    const answers: [string, string][] = []
    for (const paymentMethod of SAMPLES[place().psp]?.adapter.methods.keys() ?? []) {
      const [currency = 'EUR'] = currenciesOf(paymentMethod) ?? []
      const answer = await psp.announce(order({ paymentMethod, currency }), patience)
      answers.push([paymentMethod, answer.is === 'refused' ? answer.reason : answer.is])
    }
    const allowed = expect.stringMatching(/^(announced|refused_method|refused_amount)$/) as string
    expect(answers).not.toEqual([])
    expect(answers).toEqual(answers.map(([method]) => [method, allowed]))
  })
}

describe.each(Object.keys(SAMPLES))('the double of %s', (psp) => {
  const at = double(psp)
  contractAt(() => at)
})

// Skipped without credentials: docs/psps/add-a-psp.md.
for (const psp of Object.keys(SAMPLES)) {
  const name = variableFor(psp)
  describe.skipIf(!process.env[name])(
    `the sandbox of ${psp}, if ${name} has its credentials`,
    { timeout: 120_000 },
    () => contractAt(() => sandbox(psp)),
  )
}
