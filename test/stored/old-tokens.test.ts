import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { randomHex } from '../../src/platform/crypto/bytes.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { callWorker } from '../security/call-worker.ts'
import { ORIGIN, type Pos, createJob, makePos, read } from '../support/hub.ts'
import { operate } from '../support/operator.ts'

afterEach(() => vi.restoreAllMocks())

let pos: Pos
let profile: object
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  pos = await makePos()
  profile = { pos: pos.id, mode: 'test', signReturn: false, signingVersion: 1, routes: [], accounts: [] }
})

/** A token as release 0.1.0 issued it, that many seconds ago. */
async function oldToken(secondsAgo: number): Promise<string> {
  const token = pos.id + randomHex(128)
  const expires = Math.floor(Date.now() / 1000) - secondsAgo + 86_400
  await env.TOKENS.put(`token:${pos.id}:${await sha256(token)}`, JSON.stringify({ expires, profile }))
  return token
}

/** The copy as release 0.1.0 writes it. */
function oldCopy() {
  return env.TOKENS.put(`pos:${pos.id}`, JSON.stringify(profile))
}

async function status(token: string) {
  return (await read(token, crypto.randomUUID())).status
}

describe('a token of release 0.1.0', () => {
  it('is honoured, and the copy of that release is made whole', async () => {
    await oldCopy()
    expect(await status(await oldToken(60))).toBe(404)
    expect(await env.TOKENS.get(`pos:${pos.id}`, 'json')).toMatchObject({
      access: { tokensSince: 0, generations: [expect.stringMatching(/^[0-9a-f]{16}-0$/)] },
    })
  })

  it.each(['keys/revoke', 'disable'])('has ended after %s', async (end) => {
    const token = await oldToken(60)
    expect(await status(token)).toBe(404)
    await operate('POST', `/pos/${pos.id}/${end}`)
    expect(await status(token)).toBe(401)
  })

  it('does not come back when its point of sale is enabled again', async () => {
    const token = await oldToken(60)
    await operate('POST', `/pos/${pos.id}/disable`)
    await operate('POST', `/pos/${pos.id}/enable`)
    expect(await status(token)).toBe(401)
  })

  it('goes on after a change, with what was changed', async () => {
    const token = await oldToken(60)
    await operate('POST', `/pos/${pos.id}/secret`)
    expect((await createJob(token)).status).toBe('PENDING')
  })

  it('is honoured when that release issued it after a revoke', async () => {
    await operate('POST', `/pos/${pos.id}/keys/revoke`)
    expect(await status(await oldToken(-2))).toBe(404)
  })

  it('does not come back by a copy of that release', async () => {
    const token = await oldToken(60)
    await operate('POST', `/pos/${pos.id}/keys/revoke`)
    await oldCopy()
    expect(await status(token)).toBe(401)
  })
})

it('a copy of release 0.1.0 serves while D1 is down', async () => {
  const token = await oldToken(60)
  await oldCopy()
  expect((await readWithoutD1(token)).status).toBe(404)
})

it('a text that is no token does not reach D1', async () => {
  expect((await readWithoutD1(randomHex(160))).status).toBe(401)
})

/** Reads a job at a hub whose D1 is down: what asks it fails. That of other tests goes on. */
function readWithoutD1(token: string) {
  const DB = new Proxy(env.DB, {
    get: () => () => {
      throw new Error('D1_ERROR: D1 DB is overloaded.')
    },
  })
  const headers = { authorization: `Bearer ${token}` }
  return callWorker(new Request(`${ORIGIN}/v2/paymentjobs/${crypto.randomUUID()}`, { headers }), {
    ...env,
    DB,
  })
}
