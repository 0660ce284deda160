import { describe, expect, it } from 'vitest'
import { ok } from '../../src/platform/result.ts'
import { type Handler, routes, type RouteTable } from '../../src/platform/http/routes.ts'
import type { ParamsOf } from '../../src/contract/operation.ts'
import type { PosHandler } from '../../src/pos-api/handler.ts'
import { withPos } from '../../src/pos-api/authenticate.ts'

/**
 * What the compiler refuses is tested by the compiler: each `@ts-expect-error` fails `npm run check:types` once its line
 * compiles. None of this is ever served.
 */
const forPos: PosHandler<{ id: string }> = async (_, { params }, profile) =>
  ok(new Response(profile.pos + params.id))
const open: Handler<{ id: string }> = (_, { params }) => ok(new Response(params.id))

function refusedByTheCompiler(table: RouteTable) {
  // @ts-expect-error a handler for a known point of sale is not served to everybody
  table.get('/jobs/:id', forPos)
  // @ts-expect-error the pattern has no parameter `id`
  table.get('/jobs/:day', open)
  // @ts-expect-error a profile has no such member
  const curious: PosHandler<object> = async (_, __, { nothing }) => ok(new Response(String(nothing)))
  table.get('/jobs', withPos(curious))
  // @ts-expect-error a request carries no profile
  table.get('/jobs', (request) => ok(new Response(request.porfile.nothing)))
  // @ts-expect-error a parameter that may be missing is no text
  table.get('/jobs/:id?', open)
}

describe('a handler', () => {
  it('gets the parameters that its pattern names', async () => {
    const given: ParamsOf<'/a/:one/b/:two?'> = { one: '1' }
    expect(given).toEqual({ one: '1' })
    const entrance = routes((table) => table.get('/jobs/:id', open))
    const response = await entrance(new Request('https://hub.nl/jobs/7'), {} as Env)
    expect(await response.text()).toBe('7')
  })

  it('for a point of sale does not compile as one for everybody', () => {
    expect(refusedByTheCompiler).toBeTypeOf('function')
  })
})
