import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../../src/contract/timestamp.ts'
import { paypal } from '../../../src/psp/paypal/adapter.ts'
import { type PaypalFake, paypalFake } from '../../support/psps/paypal.ts'

let fake: PaypalFake
let accounts = 0
/** Opens an account of its own, as its tokens outlive a test. */
function opened(changes: object = {}) {
  const endpoint = `https://api-m.paypal.com/${++accounts}`
  const fetch = (request: Request) => fake.handle(new Request(request.url.replace(/\/\d+\//, '/'), request))
  const credentials = { ...fake.accounts[0], ...changes }
  return () => paypal.open({ fetch, mode: 'live', credentials, endpoint })
}

beforeEach(() => {
  fake = paypalFake()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

describe("PayPal's token", () => {
  it('serves every request until shortly before its end', async () => {
    const open = opened()
    await open().check()
    expect(await open().check()).toEqual({ is: 'working' })
    expect(fake.tokens).toBe(1)
    vi.setSystemTime(Date.now() + 9 * HOUR - 30_000)
    expect(await open().check()).toEqual({ is: 'working' })
    expect(fake.tokens).toBe(2)
  })

  it('is replaced when PayPal refuses it', async () => {
    const open = opened()
    await open().check()
    fake.revoke()
    expect(await open().check()).toEqual({ is: 'working' })
    expect(fake.tokens).toBe(2)
  })

  it('that PayPal gives again after it refused it is not tried again', async () => {
    const asked: string[] = []
    const fetch = async ({ method, url }: Request) => {
      asked.push(method)
      return url.endsWith('/token')
        ? Response.json({ access_token: 'A21AA', expires_in: 32_400 })
        : Response.json({}, { status: 401 })
    }
    const endpoint = `https://api-m.paypal.com/${++accounts}`
    const psp = paypal.open({ fetch, mode: 'live', credentials: fake.accounts[0], endpoint })
    expect(await psp.check()).toMatchObject({ is: 'refused' })
    expect(asked).toEqual(['POST', 'GET', 'POST'])
  })

  it('that PayPal does not give to this secret refuses the account, and hides the secret', async () => {
    const psp = opened({ clientSecret: 'E'.padEnd(80, 'n') })()
    expect(await psp.check()).toMatchObject({
      is: 'refused',
      message: 'PayPal refused the account: invalid_client: Client Authentication failed',
    })
    expect(await psp.ask('5O190127TN364715T', 'EUR')).toMatchObject({ accountRefused: true })
  })

  it.each([{ access_token: '' }, { access_token: 'x' }, 'x', null])(
    'has a form: %j is no answer',
    async (body) => {
      const { endpoint, credentials } = {
        endpoint: `https://api-m.paypal.com/x${++accounts}`,
        credentials: fake.accounts[0],
      }
      const psp = paypal.open({ fetch: async () => Response.json(body), mode: 'live', credentials, endpoint })
      expect(await psp.check()).toMatchObject({ is: 'unavailable' })
    },
  )

  it('refuses the account if its webhook is unknown', async () => {
    expect(await opened({ webhookId: '8PT597110X687430L' })().check()).toMatchObject({ is: 'refused' })
  })
})
