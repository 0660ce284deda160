import { env } from 'cloudflare:workers'
import { type MockInstance, beforeEach, describe, expect, it, vi } from 'vitest'
import { seal } from '../../src/platform/crypto/seal.ts'
import { connect } from '../../src/psp/connect.ts'
import { type Account, SANDBOX_ACCOUNT } from '../../src/registry/profile.ts'
import { ORIGIN } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { receiver } from '../support/shops/receiver.ts'
import { payment } from './mollie/samples.ts'
import { paymentRequest, patience } from './scripted.ts'

const LIVE_KEY = 'live_veryverysecret1'

/** An account at Mollie as the registry stores it. */
async function account(
  plain: string,
  changes: { id?: string; psp?: string; key?: string } = {},
): Promise<Account> {
  const { id = 'acc_1', psp = 'mollie', key = env.SEALING_KEY } = changes
  return { id: 'acc_1', psp, mode: 'live', sealed: await seal(key, id, plain) }
}

function contents(credentials: unknown): string {
  return JSON.stringify({ credentials })
}

/** The keys of other files' accounts, whose jobs may still send requests. */
const KEYS_OF_OTHERS = new Set(
  mollieFake().accounts.map((other) => `Bearer ${(other as { apiKey: string }).apiKey}`),
)

/** Returns the requests of these tests to Mollie. */
function toMollie({ received }: ReturnType<typeof receiver>) {
  return received.filter(
    ({ url, headers }) =>
      url.startsWith('https://api.mollie.com/') && !KEYS_OF_OTHERS.has(headers['authorization'] ?? ''),
  )
}

let logged: MockInstance
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockReturnValue()
})

it("reaches Mollie with the account's sealed key", async () => {
  const outside = receiver(() => Response.json(payment(), { status: 201 }))
  const psp = await connect(env, await account(contents({ apiKey: LIVE_KEY })), ORIGIN)
  expect(await psp.announce(paymentRequest, patience)).toMatchObject({
    is: 'announced',
    reference: 'tr_7UhSN1zuXS',
  })
  expect(toMollie(outside)).toMatchObject([
    { url: 'https://api.mollie.com/v2/payments', headers: { authorization: `Bearer ${LIVE_KEY}` } },
  ])
})

it('reaches the sandbox within the hub, with pages at the origin of the job', async () => {
  const outside = receiver()
  const psp = await connect(env, SANDBOX_ACCOUNT, 'https://pay.shop-payments.com')
  const announced = await psp.announce(paymentRequest, patience)
  expect(announced).toMatchObject({
    is: 'announced',
    checkoutUrl: expect.stringMatching(/^https:\/\/pay\.shop-payments\.com\/sandbox\/checkout\/tr_/),
  })
  expect(toMollie(outside)).toEqual([])
})

it('waits for a sandbox whose object hangs until the deadline, and no longer', async () => {
  const hanging = { getByName: () => ({ create: () => new Promise(() => {}) }) }
  const psp = await connect({ ...env, SANDBOX_PAYMENT: hanging } as unknown as Env, SANDBOX_ACCOUNT, ORIGIN)
  const deadline = new AbortController()
  const announced = psp.announce(paymentRequest, deadline.signal)
  deadline.abort(new DOMException('no answer in time', 'TimeoutError'))
  expect(await announced).toMatchObject({ is: 'unavailable', message: expect.stringContaining('in time') })
})

describe('an account that cannot be opened', () => {
  it.each([
    ['is not a seal', { id: 'acc_1', psp: 'mollie', mode: 'live', sealed: 'nonsense' }],
    ['is sealed as nothing', { id: 'acc_1', psp: 'mollie', mode: 'live', sealed: '' }],
    ['was sealed under another name', account(contents({ apiKey: LIVE_KEY }), { id: 'acc_2' })],
    ['was sealed with another key', account(contents({ apiKey: LIVE_KEY }), { key: 'old' })],
    ['holds no JSON', account('nonsense')],
    ['holds no API key', account(contents({}))],
    ['is at an unknown PSP', account(contents({ apiKey: LIVE_KEY }), { psp: 'paypro' })],
  ] as [string, Account | Promise<Account>][])(
    'because it %s stands for a PSP that stays silent, which is logged',
    async (_, unusable) => {
      const outside = receiver()
      const psp = await connect(env, await unusable, ORIGIN)
      expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
      expect(await psp.ask('tr_7UhSN1zuXS', 'EUR')).toMatchObject({ is: 'unavailable' })
      const notification = {
        job: paymentRequest.job,
        headers: new Headers(),
        body: 'id=tr_7UhSN1zuXS',
        at: Date.now(),
      }
      expect(await psp.readNotification(notification)).toMatchObject({ is: 'unavailable' })
      expect(await psp.check()).toMatchObject({ is: 'unavailable' })
      expect(toMollie(outside)).toEqual([])
      expect(loggedOf(logged, 'acc_1')).toHaveLength(1)
      expect(logged).toHaveBeenCalledWith(
        expect.objectContaining({ event: 'psp.account-unusable', account: 'acc_1' }),
      )
    },
  )

  it.each([
    ['holds a key in another form', contents({ apiKey: `${LIVE_KEY}-` })],
    ['holds the bare key', LIVE_KEY],
    ['holds no wrapping', JSON.stringify({ apiKey: LIVE_KEY })],
  ])('because it %s keeps that out of the log', async (_, credentials) => {
    await connect(env, await account(credentials), ORIGIN)
    expect(loggedOf(logged, 'acc_1')).toHaveLength(1)
    expect(JSON.stringify(logged.mock.calls)).not.toContain('verysecret')
  })
})
