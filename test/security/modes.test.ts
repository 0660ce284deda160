import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshProfile } from '../../src/registry/copies.ts'
import {
  type Pos,
  create,
  createJob,
  location,
  makePos,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'

let world: ReturnType<typeof outside>
beforeEach(() => {
  world = outside()
})

/** Changes the registry without telling the point of sale. The token carries the change. */
async function tokenAfter(pos: Pos, ...statements: string[]): Promise<string> {
  for (const statement of statements) await env.DB.prepare(statement).bind(pos.id).run()
  await refreshProfile(env, pos.id)
  return tokenFor(pos)
}

describe('test mode', () => {
  it('never reaches a real PSP, even with routes to one', async () => {
    const token = await tokenAfter(
      await makeLivePos(),
      "update points_of_sale set mode = 'test' where id = ?",
    )
    const { payUrl, paymentJob } = await createJob(token)
    expect(location(await send(payUrl))).toContain('/sandbox/checkout/')
    await send(`/return/${paymentJob}`)
    expect(world.asked).toEqual([])
  })
})

describe('live mode', () => {
  it('never reaches the sandbox, even with a route to it', async () => {
    await env.DB.prepare(
      "insert into psp_accounts (id, psp, mode, sealed, created_at) values ('sandbox', 'sandbox', 'live', '', 0)",
    ).run()
    const route = "insert into routes (pos, payment_method, position, account) values (?, '*', 0, 'sandbox')"
    const response = await create(await tokenAfter(await makePos({ mode: 'live' }), route))
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ field: 'payment_method' })
  })

  it('cannot be completed on the page of the sandbox', async () => {
    const token = await tokenFor(await makeLivePos())
    const { paymentJob } = await createJob(token)
    const reference = world.fake.payments[0]?.id ?? ''
    const answer = await send(`/sandbox/checkout/${reference}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'paid' }),
    })
    expect(answer.status).toBe(404)
    await send(`/return/${paymentJob}`)
    expect((await readJob(token, paymentJob)).status).toBe('PENDING')
  })
})
