import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type JobJson,
  create,
  createJob,
  location,
  makePos,
  order,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { objectOf, stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { fakeOf } from '../support/fakes.ts'
import { type PspWorld, addAccount, posAt, pspWorld, route } from '../support/psp-world.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'

let world: PspWorld
let errors: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  world = pspWorld('mollie')
  errors = vi.spyOn(console, 'error').mockReturnValue()
})

function unauthorized() {
  return mollieProblem(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
}

/** A live point of sale that routes every method to the first account, and then to the second. */
async function twoAccounts() {
  const accounts = [await addAccount(world), await addAccount(world, 1)] as const
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', ...accounts)
  return { accounts, token: await tokenFor(pos) }
}

it.each([401, 403])(
  'an account whose key is refused with %d is passed over, and the operator sees that',
  async (status) => {
    const { accounts, token } = await twoAccounts()
    const [{ apiKey }] = world.fake.accounts as unknown as [{ apiKey: string }]
    world.fault = (request) =>
      request.headers.get('authorization') === `Bearer ${apiKey}`
        ? mollieProblem(status, 'Error', 'No')
        : world.fake.handle(request)
    const { paymentJob: job, status: hubStatus, error } = await createJob(token)
    expect([hubStatus, error]).toEqual(['PENDING', null])
    const { account, pos } = await stored(job)
    expect(account).toBe(accounts[1])
    const message = 'Mollie refused the payment: Error: No'
    expect(loggedOf(errors, job)).toEqual([
      { event: 'psp.account-refused', job, pos, account: accounts[0], message },
    ])
  },
)

it('a job whose every account is refused waits, and is announced once a key works again', async () => {
  const { token } = await twoAccounts()
  world.fault = unauthorized
  const { paymentJob: job, payUrl, status, error } = await createJob(token)
  expect([status, error]).toEqual(['PENDING', expect.stringContaining('failed to authenticate')])
  expect((await stored(job)).announcement).toBe('due')
  world.fault = null
  expect(location(await send(payUrl))).toMatch(/^https:\/\//)
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', error: null })
})

it('an order that the PSP refuses is not tried elsewhere: FAILURE, with a reason for the shop', async () => {
  const { token } = await twoAccounts()
  world.fault = () => mollieProblem(422, 'Unprocessable Entity', 'The amount is too high', 'amount')
  const { status, error } = await createJob(token)
  expect([status, error]).toEqual([
    'FAILURE',
    'refused_amount: Mollie refused the payment: Unprocessable Entity: The amount is too high (amount)',
  ])
  expect(world.asked).toEqual(['POST /v2/payments'])
})

/** `every-adapter.test.ts` checks how each PSP refuses a key. */
describe('a question', () => {
  const pulledWith = async (status: number) => {
    const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
    world.fault = () => Response.json({ message: 'no' }, { status })
    await send(`/return/${id}`)
    return { id, account: (await stored(id)).account, status: (await stored(id)).status }
  }

  it.each([401, 403])('answered with %i is logged as a refused account, and ends nothing', async (code) => {
    const { id, account, status } = await pulledWith(code)
    expect(status).toBe('PENDING')
    expect(loggedOf(errors, id)).toMatchObject([{ event: 'psp.account-refused', account }])
  })

  it('with any other answer is not', async () => {
    const { id } = await pulledWith(400)
    expect(loggedOf(errors, id)).toEqual([])
  })
})

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
  ['billink', NO_ADDRESS],
  ['in3', NO_ADDRESS],
  ['klarna', NO_ADDRESS],
  ['Klarna', NO_ADDRESS],
  ['riverty', NO_ADDRESS],
  ['voucher', NO_CATEGORIES],
])('refuses %s if the only PSP of its route needs what an order does not have', async (method, detail) => {
  const token = await tokenRoutedTo('*', await addAccount(world))
  const answer = await create(token, { ...order, payment_method: method })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ field: 'payment_method', detail })
  expect(world.asked).toEqual([])
})

it('refuses one with a route of its own too', async () => {
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', await addAccount(world))
  await route(pos, 'klarna', await addAccount(world))
  expect((await create(await tokenFor(pos), { ...order, payment_method: 'klarna' })).status).toBe(422)
  expect(world.asked).toEqual([])
})

it('goes to the next account of the route if that can take the method', async () => {
  world = pspWorld('stripe')
  const atMollie = await addAccount({ fake: fakeOf('mollie'), psp: 'mollie' })
  const atStripe = await addAccount(world)
  const token = await tokenRoutedTo('klarna', atMollie, atStripe)
  const answer = await create(token, { ...order, payment_method: 'klarna' })
  expect(answer.status).toBe(201)
  const { paymentJob } = await answer.json<{ paymentJob: string }>()
  expect(await stored(paymentJob)).toMatchObject({ account: atStripe, status: 'PENDING' })
})

it('a paid order that MultiSafepay holds under the id of a job does not pay another order', async () => {
  world = pspWorld('multisafepay')
  const token = await tokenFor(await posAt(world))
  const createWith = async (amount: string): Promise<JobJson> =>
    (await create(token, { ...order, amount }, { 'idempotency-key': 'held-1' })).json()
  const { paymentJob: job } = await createWith('50.00')
  const { fingerprint } = await stored(job)
  expect(fingerprint).toMatch(/\w{20,}/)
  world.fake.bring(job, 'paid')
  // As if the hub had forgotten the job since.
  await runInDurableObject(objectOf(job), async (_, { storage }) => storage.deleteAll())
  await evictDurableObject(objectOf(job))
  const other = await createWith('5.00')
  expect(other.paymentJob).toBe(job)
  expect([other.status, other.error]).toEqual([
    'FAILURE',
    'refused_other: MultiSafepay holds another order under this id.',
  ])
  await send(`/return/${job}`)
  expect(await readJob(token, job)).toMatchObject({ status: 'FAILURE', amountPaid: '0.00' })
})
