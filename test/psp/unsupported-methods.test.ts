import { afterEach, expect, it } from 'vitest'
import { create, makePos, order, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { type PspWorld, addAccount, fakeOf, pspWorld, route } from '../support/psp-world.ts'

let world: PspWorld
afterEach(() => world.stop())

const NO_ADDRESS =
  "payment_method cannot be taken: Mollie needs the customer's billing address for it, which the hub's API does not carry."

async function tokenRoutedTo(method: string, ...accounts: string[]): Promise<string> {
  const pos = await makePos({ mode: 'live' })
  await route(pos, method, ...accounts)
  return tokenFor(pos)
}

const NO_CATEGORIES =
  'payment_method cannot be taken: Mollie needs the categories of the goods for it, which the hub does not know.'

it.each([
  ['alma', NO_ADDRESS],
  ['billie', NO_ADDRESS],
  ['in3', NO_ADDRESS],
  ['klarna', NO_ADDRESS],
  ['Klarna', NO_ADDRESS],
  ['riverty', NO_ADDRESS],
  ['voucher', NO_CATEGORIES],
])('refuses %s when the only PSP of its route needs what an order does not have', async (method, detail) => {
  world = pspWorld('mollie')
  const token = await tokenRoutedTo('*', await addAccount(world))
  const answer = await create(token, { ...order, payment_method: method })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ field: 'payment_method', detail })
  expect(world.asked).toEqual([])
})

it('refuses one by a route of its own too', async () => {
  world = pspWorld('mollie')
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', await addAccount(world))
  await route(pos, 'klarna', await addAccount(world))
  expect((await create(await tokenFor(pos), { ...order, payment_method: 'klarna' })).status).toBe(422)
  expect(world.asked).toEqual([])
})

it('goes to the next account of the route when that can take the method', async () => {
  world = pspWorld('stripe')
  const atMollie = await addAccount({ fake: fakeOf('mollie'), psp: 'mollie' })
  const atStripe = await addAccount(world)
  const token = await tokenRoutedTo('klarna', atMollie, atStripe)
  const answer = await create(token, { ...order, payment_method: 'klarna' })
  expect(answer.status).toBe(201)
  const { paymentJob } = await answer.json<{ paymentJob: string }>()
  expect(await stored(paymentJob)).toMatchObject({ account: atStripe, status: 'PENDING' })
})
