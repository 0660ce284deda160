import { beforeEach, describe, expect, it, vi } from 'vitest'
import { env } from 'cloudflare:workers'
import { stored } from '../support/jobs/job.ts'
import { create, createJob, location, makePos, order, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { type PspWorld, addAccount, deliver, pspWorld, route } from '../support/psp-world.ts'

let world: PspWorld
beforeEach(() => {
  world = pspWorld('mollie')
  vi.spyOn(console, 'warn').mockReturnValue()
})

function livePos() {
  return makePos({ mode: 'live' })
}

/** Makes the PSP answer only the calls of one of its two accounts. */
function breakAccount(which: 0 | 1) {
  const { apiKey } = world.fake.accounts[which] as { apiKey: string }
  world.fault = (request) =>
    request.headers.get('authorization') === `Bearer ${apiKey}`
      ? new Response('', { status: 503 })
      : world.fake.handle(request)
}

describe('a route', () => {
  it('sends each payment method to its own account, and all others to the account for any method', async () => {
    const pos = await livePos()
    const [forIdeal, forAny] = [await addAccount(world), await addAccount(world, 1)]
    await route(pos, 'ideal', forIdeal)
    await route(pos, '*', forAny)
    const token = await tokenFor(pos)
    const accountFor = async (payment_method: string) =>
      (await stored((await createJob(token, { payment_method })).paymentJob)).account
    expect(await accountFor('ideal')).toBe(forIdeal)
    expect(await accountFor('iDEAL')).toBe(forIdeal)
    expect(await accountFor('creditcard')).toBe(forAny)
  })

  it('that is missing refuses the method with a 422 that lists the known ones', async () => {
    const pos = await livePos()
    const id = await addAccount(world)
    await route(pos, 'ideal', id)
    await route(pos, 'bancontact', id)
    const answer = await create(await tokenFor(pos), { ...order, payment_method: 'paypal' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      field: 'payment_method',
      error: expect.stringMatching(/bancontact, ideal/),
    })
  })

  it('that is changed counts at once for a token in use, which stays valid', async () => {
    const pos = await livePos()
    const [first, second] = [await addAccount(world), await addAccount(world, 1)]
    await route(pos, '*', first)
    const token = await tokenFor(pos)
    expect((await stored((await createJob(token)).paymentJob)).account).toBe(first)
    await route(pos, '*', second)
    expect((await stored((await createJob(token)).paymentJob)).account).toBe(second)
    const before = (await createJob(token)).paymentJob
    await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [] })
    expect((await create(token)).status).toBe(422)
    expect((await readJob(token, before)).status).toBe('PENDING')
  })

  it('that is changed under load loses no payment, and one account or the other has each', async () => {
    const pos = await livePos()
    const accounts = [await addAccount(world), await addAccount(world, 1)]
    await route(pos, '*', accounts[0] ?? '')
    const token = await tokenFor(pos)
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        if (n % 20 === 10) await route(pos, '*', accounts[(n / 10) % 2] ?? '')
        return create(token)
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const jobs = await Promise.all(answers.map((answer) => answer.json<{ paymentJob: string }>()))
    for (const { paymentJob } of jobs) {
      const { account, status } = await stored(paymentJob)
      expect(accounts).toContain(account)
      expect(status).toBe('PENDING')
    }
  })

  it.each<[string, object, string]>([
    ['no payment method', { paymentMethod: undefined }, 'paymentMethod'],
    ['a payment method with a space', { paymentMethod: 'i deal' }, 'paymentMethod'],
    ['a payment method that begins like the one for any', { paymentMethod: '*ideal' }, 'paymentMethod'],
    ['accounts that are not a list', { accounts: 'mollie' }, 'accounts'],
    ['an unknown account', { accounts: ['nobody'] }, 'accounts'],
    ['an account twice', { accounts: ['nobody', 'nobody'] }, 'accounts'],
    ['five accounts', { accounts: ['a', 'b', 'c', 'd', 'e'] }, 'accounts'],
  ])('with %s is refused with the name of the field', async (_, changes, field) => {
    const pos = await livePos()
    const answer = await operate('POST', `/pos/${pos.id}/routes`, {
      paymentMethod: 'ideal',
      accounts: [],
      ...changes,
    })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ field })
  })

  it.each([
    ['idael', 'is not a payment method of mollie, the PSP of PSP-1. Did you mean ideal?'],
    [
      'bitcoin',
      "is not a payment method of mollie, the PSP of PSP-1. To let the customer choose on the PSP's page: *",
    ],
    [
      'giropay',
      "is not a payment method of mollie, the PSP of PSP-1. To let the customer choose on the PSP's page: *",
    ],
  ])('of %s, which its PSP does not know, is refused with the nearest name', async (paymentMethod, error) => {
    const pos = await livePos()
    const id = await addAccount(world)
    const answer = await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod, accounts: [id] })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ field: 'paymentMethod', error: error.replace('PSP-1', id) })
    const taken = await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod, accounts: [] })
    expect(taken.status).toBe(200)
  })

  it('of a test-mode point of sale is refused, because that uses the sandbox', async () => {
    const pos = await makePos()
    const id = await addAccount(world)
    const answer = await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [id] })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('--live')])
  })

  it('never mixes live accounts with test accounts', async () => {
    const pos = await livePos()
    const live = await addAccount(world)
    await operate('POST', '/accounts', {
      id: 'trial',
      psp: 'mollie',
      mode: 'test',
      credentials: { apiKey: 'test_0123456789' },
    })
    const routed = (paymentMethod: string, ...accounts: string[]) =>
      operate('POST', `/pos/${pos.id}/routes`, { paymentMethod, accounts })
    const mixed = await routed('ideal', live, 'trial')
    expect([mixed.status, await mixed.json()]).toMatchObject([422, { field: 'accounts' }])
    expect((await routed('ideal', live)).status).toBe(200)
    expect((await routed('*', 'trial')).status).toBe(422)
    const moved = await routed('ideal', 'trial')
    expect([moved.status, await moved.json()]).toEqual([200, expect.objectContaining({ mode: 'test' })])
  })
})

describe('while the first account is unavailable', () => {
  const twoAccounts = async () => {
    const pos = await livePos()
    const accounts = [await addAccount(world), await addAccount(world, 1)] as const
    await route(pos, 'ideal', ...accounts)
    return { pos, accounts, token: await tokenFor(pos) }
  }

  it('the next one takes the payment, and the trace and the index say so', async () => {
    const { accounts, token } = await twoAccounts()
    breakAccount(0)
    const { paymentJob: job, error } = await createJob(token)
    expect(error).toBeNull()
    const shown = await answerTo('GET', `/jobs/${job}`)
    expect(shown).toMatchObject({ account: accounts[1], announcement: 'announced' })
    await vi.waitFor(async () => {
      const row = await env.DB.prepare('select account from jobs where id = ?').bind(job).first()
      expect(row).toEqual({ account: accounts[1] })
    }, 8000)
    world.fake.bring(job, 'paid')
    const [notification] = await world.fake.notify(job, Date.now())
    if (!notification) throw new Error('the PSP sent no notification')
    expect(new URL(notification.url ?? '').pathname).toBe(
      `/notifications/${accounts[1]}/${(await stored(job)).link}`,
    )
    expect((await deliver(accounts[1], notification)).status).toBe(200)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
  })

  it('a PSP that hangs leaves enough time for the next one', async () => {
    const { accounts, token } = await twoAccounts()
    const { apiKey } = world.fake.accounts[0] as { apiKey: string }
    world.fault = (request) =>
      request.headers.get('authorization') === `Bearer ${apiKey}`
        ? new Promise((_, reject) =>
            request.signal.addEventListener('abort', () => reject(request.signal.reason)),
          )
        : world.fake.handle(request)
    const started = Date.now()
    const { paymentJob } = await createJob(token)
    expect((await stored(paymentJob)).account).toBe(accounts[1])
    expect(Date.now() - started).toBeLessThan(7000)
  })

  it('and no other answers, the job waits; when its customer comes, the first account that answers gets it', async () => {
    const { accounts, token } = await twoAccounts()
    world.fault = () => new Response('', { status: 503 })
    const { paymentJob: job, payUrl } = await createJob(token)
    expect(await stored(job)).toMatchObject({ account: accounts[0], announcement: 'due' })
    breakAccount(0)
    expect(location(await send(payUrl))).toContain('mollie.com/checkout/')
    expect(await stored(job)).toMatchObject({ account: accounts[1], announcement: 'announced' })
    await vi.waitFor(async () => {
      const row = await env.DB.prepare('select account from jobs where id = ?').bind(job).first()
      expect(row).toEqual({ account: accounts[1] })
    }, 8000)
  })
})

describe('two points of sale at one PSP', () => {
  it('each have their own account, with its own key', async () => {
    const asked = vi.spyOn(world.fake, 'handle')
    for (const which of [0, 1] as const) {
      const pos = await livePos()
      await route(pos, '*', await addAccount(world, which))
      asked.mockClear()
      await createJob(await tokenFor(pos))
      const { apiKey } = world.fake.accounts[which] as { apiKey: string }
      expect(asked.mock.calls[0]?.[0].headers.get('authorization')).toBe(`Bearer ${apiKey}`)
    }
  })
})
