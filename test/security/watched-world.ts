import { vi } from 'vitest'
import { ORIGIN, send } from '../support/hub.ts'
import { textOf } from './evidence.ts'

/** Sends a request to the hub, and keeps what it answers. */
export const watchHub = () => {
  const refusals: string[] = []
  const answers: string[] = []
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await send(path, init)
    const text = textOf([response.status, [...response.headers], await response.clone().text()])
    ;(response.status >= 400 ? refusals : answers).push(text)
    return response
  }
  return { ask, refusals, answers }
}

/** Plays Mollie and the shops, and keeps what is sent to them. `mollie` and `shop` say what they answer. */
export const watchOutside = () => {
  const world = {
    toPsp: [] as string[],
    toShop: [] as string[],
    mollie: (() => mollieAnswer('open')) as (request: Request) => Response,
    shop: (): Response => new Response('ok'),
    stop: () => spy.mockRestore(),
  }
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const isPsp = new URL(request.url).hostname === 'api.mollie.com'
    const sent = textOf([request.url, [...request.headers], await request.clone().text()])
    ;(isPsp ? world.toPsp : world.toShop).push(sent)
    return isPsp ? world.mollie(request) : world.shop()
  })
  return world
}

/** A payment of EUR 12.50 as Mollie describes it. */
export const mollieAnswer = (status: string): Response =>
  Response.json({
    resource: 'payment',
    id: 'tr_aaaaaaaaaa',
    status,
    amount: { value: '12.50', currency: 'EUR' },
    _links: { checkout: { href: 'https://www.mollie.com/checkout/tr_aaaaaaaaaa' } },
  })

/** The address on this hub, without its origin, that a redirect leads to. */
export const pathOf = (response: Response): string =>
  String(response.headers.get('location')).replace(ORIGIN, '')
