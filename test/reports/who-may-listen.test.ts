import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { posApi } from '../../src/pos-api/routes.ts'
import { MOST_LISTENERS } from '../../src/reports/report-listener.ts'
import { makePos, send, tokenFor } from '../support/hub/hub.ts'
import { askToListen, listen } from '../support/shops/listener.ts'

type Problem = { status: number; detail: string; field: string }
async function problemOf(response: Response): Promise<Problem> {
  return response.json()
}

function offering(...protocols: string[]): Promise<Response> {
  return send('/v2/reports/listen?as=watches', {
    headers: { upgrade: 'websocket', 'sec-websocket-protocol': protocols.join(', ') },
  })
}

function hangUp({ webSocket }: Response): void {
  webSocket?.accept()
  webSocket?.close()
}

describe('a listener to reports', () => {
  it('is a point of sale in test mode, by its API key or an access token', async () => {
    const pos = await makePos()
    for (const key of [pos.apiKey, await tokenFor(pos)]) {
      const listener = await listen(key)
      expect(listener.of('ready')).toEqual([{ type: 'ready', pos: pos.id, as: 'answers' }])
      listener.close()
    }
  })

  it('is never one in live mode, which gets a refusal', async () => {
    const pos = await makePos({ mode: 'live' })
    for (const key of [pos.apiKey, await tokenFor(pos)]) {
      const response = await askToListen(key)
      expect(response.webSocket).toBeNull()
      const problem = await problemOf(response)
      expect(problem).toMatchObject({ status: 403 })
      expect(problem.detail).toContain('live point of sale')
    }
  })

  it.each([
    ['nothing', () => send('/v2/reports/listen?as=answers', { headers: { upgrade: 'websocket' } })],
    ['an unknown token', () => askToListen('ab'.repeat(80))],
    ['an unknown API key', () => askToListen('Zz'.repeat(80))],
    ['an unknown token as a protocol', () => offering('payment-hub-reports', `bearer.${'ab'.repeat(80)}`)],
    ['an empty token as a protocol', () => offering('payment-hub-reports', 'bearer.')],
  ])('is refused with %s', async (_, ask) => {
    const response = await ask()
    expect([response.status, response.webSocket]).toEqual([401, null])
  })

  it('may send its token as a protocol, as a browser must, and never gets it back', async () => {
    const token = await tokenFor(await makePos())
    const response = await offering('payment-hub-reports', `bearer.${token}`)
    expect(response.status).toBe(101)
    expect(response.headers.get('sec-websocket-protocol')).toBe('payment-hub-reports')
    expect(JSON.stringify([...response.headers])).not.toContain(token)
    hangUp(response)
    const without = await offering(`bearer.${token}`)
    expect(without.status).toBe(401)
  })

  it('cannot send its token in the address, where logs would have it', async () => {
    const token = await tokenFor(await makePos())
    const response = await send(`/v2/reports/listen?as=answers&token=${token}&access_token=${token}`, {
      headers: { upgrade: 'websocket' },
    })
    expect(await problemOf(response)).toMatchObject({ status: 422, field: 'token' })
  })

  it('says whether it answers or watches, and comes with a WebSocket', async () => {
    const { apiKey } = await makePos()
    expect(await problemOf(await askToListen(apiKey, 'listens'))).toMatchObject({ status: 422, field: 'as' })
    const plain = await send('/v2/reports/listen?as=answers', {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(plain.headers.get('connection')).toBe('Upgrade')
  })

  it('comes with a GET: a HEAD gets no WebSocket, whatever it asks for', async () => {
    const { apiKey } = await makePos()
    const headers = { authorization: `Bearer ${apiKey}`, upgrade: 'websocket' }
    // Over `fetch`, a request with this header would become a GET.
    const request = new Request('https://hub.example/v2/reports/listen?as=answers', {
      method: 'HEAD',
      headers,
    })
    const response = await posApi(request, env)
    expect([response.status, response.webSocket]).toEqual([426, null])
  })

  it(`is one of at most ${MOST_LISTENERS} of its point of sale, until one has gone`, async () => {
    const { apiKey } = await makePos()
    const listeners = await Promise.all(Array.from({ length: MOST_LISTENERS }, () => listen(apiKey)))
    const refused = await askToListen(apiKey)
    expect(await problemOf(refused)).toMatchObject({ status: 409 })
    hangUp(await askToListen((await makePos()).apiKey))
    listeners[0]?.close()
    await vi.waitFor(async () => {
      const response = await askToListen(apiKey)
      expect(response.status).toBe(101)
      hangUp(response)
    })
  })
})
