import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createJob, location, makePos, readJob, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { type PspWorld, addAccount, pspWorld, route } from '../support/psp-world.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'

let world: PspWorld
beforeEach(() => {
  world = pspWorld('mollie')
})
afterEach(() => {
  vi.restoreAllMocks()
  world.stop()
})

function unauthorized() {
  return mollieProblem(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
}

/** A live point of sale whose every method leads to the first account, and then to the second. */
async function twoAccounts() {
  const accounts = [await addAccount(world), await addAccount(world, 1)] as const
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', ...accounts)
  return { accounts, token: await tokenFor(pos) }
}

it.each([401, 403])(
  'an account whose key is refused with %d is passed over, and the operator is told',
  async (status) => {
    const { accounts, token } = await twoAccounts()
    const [{ apiKey }] = world.fake.accounts as unknown as [{ apiKey: string }]
    world.fault = (request) =>
      request.headers.get('authorization') === `Bearer ${apiKey}`
        ? mollieProblem(status, 'Error', 'No')
        : world.fake.handle(request)
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const { paymentJob: job, status: hubStatus, error } = await createJob(token)
    expect([hubStatus, error]).toEqual(['PENDING', null])
    const { account, pos } = await stored(job)
    expect(account).toBe(accounts[1])
    const message = 'Mollie refused the payment: Error: No'
    expect(loggedOf(logged, job)).toEqual([
      { event: 'psp.account-refused', job, pos, account: accounts[0], message },
    ])
  },
)

it('a job whose every account is refused waits, and is announced once a key works again', async () => {
  const { token } = await twoAccounts()
  vi.spyOn(console, 'error').mockReturnValue()
  world.fault = unauthorized
  const { paymentJob: job, payUrl, status, error } = await createJob(token)
  expect([status, error]).toEqual(['PENDING', expect.stringContaining('failed to authenticate')])
  expect((await stored(job)).announcement).toBe('due')
  world.fault = null
  expect(location(await send(payUrl))).toMatch(/^https:\/\//)
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', error: null })
})

it('an order that the PSP refuses is not tried elsewhere: FAILURE, with a reason that a shop can read', async () => {
  const { token } = await twoAccounts()
  world.fault = () => mollieProblem(422, 'Unprocessable Entity', 'The amount is too high', 'amount')
  const { status, error } = await createJob(token)
  expect([status, error]).toEqual([
    'FAILURE',
    'refused_amount: Mollie refused the payment: Unprocessable Entity: The amount is too high (amount)',
  ])
  expect(world.asked).toEqual(['POST /v2/payments'])
})
