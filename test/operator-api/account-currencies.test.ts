import { beforeEach, describe, expect, it } from 'vitest'
import { type Pos, askWith, create, createJob, makePos, order, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { type PspWorld, addAccount, pspWorld, route } from '../support/psp-world.ts'
import { entriesAbout } from './audit-entries.ts'

let world: PspWorld
beforeEach(() => {
  world = pspWorld('mollie')
})

/** A live shop whose card payments go to an account for euros, and then to one for dollars and yen. */
async function shopInThree(): Promise<{ shop: Pos; euros: string; others: string; token: string }> {
  const shop = await makePos({ mode: 'live' })
  const [euros, others] = [await addAccount(world, 0), await addAccount(world, 1)]
  await take(euros, ['EUR'])
  await take(others, ['USD', 'JPY'])
  await route(shop, 'creditcard', euros, others)
  return { shop, euros, others, token: await tokenFor(shop) }
}

async function take(account: string, currencies: string[] | null) {
  const changed = await operate('POST', `/accounts/${account}/currencies`, { currencies })
  expect(changed.status).toBe(200)
  expect(await changed.json()).toMatchObject({ id: account, currencies })
}

const byCard = { ...order, payment_method: 'creditcard' }

async function methodsOf(token: string) {
  const answer = await askWith(token, 'GET', '/v2/paymentmethods')
  return (await answer.json<{ paymentMethods: object[] }>()).paymentMethods
}

describe('accounts that take certain currencies', () => {
  it('get the orders in these currencies, wherever they are in the route', async () => {
    const { euros, others, token } = await shopInThree()
    const inEuros = await createJob(token, byCard)
    const inYen = await createJob(token, { ...byCard, currency: 'JPY', amount: '1250' })
    expect((await stored(inEuros.paymentJob)).account).toBe(euros)
    expect((await stored(inYen.paymentJob)).account).toBe(others)
  })

  it('refuse an order in another currency, and name the currencies of the route', async () => {
    const { token } = await shopInThree()
    const answer = await create(token, { ...byCard, currency: 'GBP' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      field: 'currency',
      error: expect.stringContaining('EUR, USD, JPY'),
    })
    expect(world.asked).toEqual([])
  })

  it('are shown to the shop by method', async () => {
    const { shop, euros, others, token } = await shopInThree()
    const card = { paymentMethod: 'creditcard', currencies: ['EUR', 'USD', 'JPY'] }
    expect(await methodsOf(token)).toMatchObject([card])
    await route(shop, 'ideal', others, euros)
    await route(shop, 'blik', euros, others)
    const ideal = { paymentMethod: 'ideal', currencies: ['EUR'] }
    const told = await methodsOf(token)
    expect(told).toHaveLength(2)
    expect(told).toMatchObject([ideal, card])
    await take(others, null)
    const all = await methodsOf(token)
    expect(all).toMatchObject([ideal, { paymentMethod: 'creditcard' }, { paymentMethod: 'blik' }])
    expect(all[1]).not.toHaveProperty('currencies')
  })

  it('are not asked to take a waiting order in another currency', async () => {
    const shop = await makePos({ mode: 'live' })
    const [first, second] = [await addAccount(world, 0), await addAccount(world, 1)]
    await route(shop, '*', first, second)
    const token = await tokenFor(shop)
    world.fault = () => new Response(null, { status: 503 })
    const { paymentJob: id } = await createJob(token, byCard)
    await take(first, ['USD'])
    world.fault = null
    await ringNext(id)
    expect((await stored(id)).account).toBe(second)
  })

  it('are listed, and kept in a new account and in the audit log', async () => {
    const [credentials] = world.fake.accounts
    const account = {
      id: 'in-crowns',
      psp: 'mollie',
      mode: 'live',
      credentials,
      currencies: ['SEK', 'DKK', 'SEK'],
    }
    expect((await operate('POST', '/accounts', account)).status).toBe(201)
    await take('in-crowns', ['NOK'])
    const { accounts } = await answerTo<{ accounts: { id: string }[] }>('GET', '/accounts')
    expect(accounts.find(({ id }) => id === 'in-crowns')).toMatchObject({ currencies: ['NOK'] })
    const entries = await entriesAbout('in-crowns')
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'psp.currencies',
        before: { currencies: ['SEK', 'DKK'] },
        after: { currencies: ['NOK'] },
      }),
    )
  })

  it.each<[string, unknown, string]>([
    ['none', [], 'currencies'],
    ['an unknown one', ['EUR', 'XXX'], 'currencies.1'],
    ['one in lower case', ['eur'], 'currencies.0'],
    ['a text', 'EUR', 'currencies'],
    ['nothing', undefined, 'currencies'],
  ])('with %s are refused with the name of the field', async (_, currencies, field) => {
    const account = await addAccount(world)
    const answer = await operate('POST', `/accounts/${account}/currencies`, { currencies })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ field })
  })

  it('of an account that does not exist are a 404', async () => {
    expect((await operate('POST', '/accounts/nobody/currencies', { currencies: null })).status).toBe(404)
  })
})
