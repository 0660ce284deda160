import { vi } from 'vitest'
import { ORIGIN, send } from '../support/hub/hub.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { textOf } from './evidence.ts'

/** Sends a request to the hub, and records the answer. */
export function watchHub() {
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

/** Mollie and the shops, with a record of the requests to them. `mollie` and `shop` answer. */
export function watchOutside(apiKey: string) {
  const { handle, origins } = mollieFake(apiKey)
  const world = {
    toPsp: [] as string[],
    toShop: [] as string[],
    mollie: handle as (request: Request) => Response | Promise<Response>,
    /** Lets Mollie answer normally. */
    mendMollie: () => void (world.mollie = handle),
    shop: (): Response => new Response('ok'),
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const isPsp = origins.some((origin) => request.url.startsWith(origin))
    const sent = textOf([request.url, [...request.headers], await request.clone().text()])
    ;(isPsp ? world.toPsp : world.toShop).push(sent)
    return isPsp ? world.mollie(request) : world.shop()
  })
  return world
}

/** Returns the path on this hub to which a redirect leads. */
export function pathOf(response: Response): string {
  return String(response.headers.get('location')).replace(ORIGIN, '')
}
