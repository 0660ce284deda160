import { expect, it } from 'vitest'
import { ok } from '../../src/contract/result.ts'
import { type Handler, routes, type RouteTable } from '../../src/platform/http/routes.ts'
import type { ParamsOf } from '../../src/contract/operation.ts'
import type { PosHandler, PosHandlers } from '../../src/pos-api/handler.ts'

/**
 * What the compiler refuses is tested by the compiler: each `@ts-expect-error` fails `npm run
 * check:types` once its line compiles. None of this is ever served.
 */
const open: Handler<{ id: string }> = (_, { params }) => ok(new Response(params.id))

export function refusedByTheCompiler(table: RouteTable) {
  // @ts-expect-error an operation without its handler
  const none: PosHandlers = {}
  // @ts-expect-error an answer that is not what the table says
  const wrong: PosHandler<'listRefunds'> = async () => ok({ data: { refunds: 7 } })
  // @ts-expect-error a profile has no such member
  const curious: PosHandler<'listRefunds'> = async (_, { nothing }) => nothing
  // @ts-expect-error the pattern has no parameter `id`
  table.get('/jobs/:day', open)
  // @ts-expect-error a parameter that may be missing is no text
  table.get('/jobs/:id?', open)
  return [none, wrong, curious]
}

it('a handler gets the parameters that its pattern names', async () => {
  const given: ParamsOf<'/a/:one/b/:two?'> = { one: '1' }
  expect(given).toEqual({ one: '1' })
  const entrance = routes((table) => table.get('/jobs/:id', open))
  const response = await entrance(new Request('https://hub.nl/jobs/7'), {} as Env)
  expect(await response.text()).toBe('7')
})
