import { ProxyAgent, fetch } from 'undici'
import { orderOf } from '../e2e/clients.ts'

/** The requests of these tests to a hub on the double's internet. */
export function hubAt(url: string, proxy: string) {
  const dispatcher = new ProxyAgent({ uri: proxy, requestTls: { rejectUnauthorized: false } })
  const send = (
    path: string,
    init: { method?: string; bearer?: string; body?: string; type?: string } = {},
  ) =>
    fetch(new URL(path, url), {
      method: init.method ?? 'GET',
      redirect: 'manual',
      headers: {
        ...(init.bearer === undefined ? {} : { authorization: `Bearer ${init.bearer}` }),
        ...(init.body === undefined ? {} : { 'content-type': init.type ?? 'application/json' }),
      },
      body: init.body ?? null,
      dispatcher,
    })
  const json = async <T>(path: string, init: Parameters<typeof send>[1]): Promise<T> => {
    const response = await send(path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }
  const next = async (path: string, init?: Parameters<typeof send>[1]): Promise<string> => {
    const response = await send(path, init)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return location
  }

  /** Creates a payment and pays it at the sandbox. Returns the job as the shop reads it afterwards. */
  const pay = async (apiKey: string, number: number) => {
    const { token } = await json<{ token: string }>('/v1/guardian', { bearer: apiKey })
    const order = orderOf('https://shop.example.com', number)
    const created = await json<{ paymentJob: string; payUrl: string }>('/v2/paymentjobs', {
      method: 'POST',
      bearer: token,
      body: JSON.stringify(order),
    })
    const checkout = await next(created.payUrl)
    const back = await next(checkout, {
      method: 'POST',
      body: 'outcome=paid',
      type: 'application/x-www-form-urlencoded',
    })
    await next(back)
    return json<{ paymentJob: string; status: string; amountPaid: string }>(
      `/v2/paymentjobs/${created.paymentJob}`,
      { bearer: token },
    )
  }
  return { send, json, pay, close: () => dispatcher.close() }
}
