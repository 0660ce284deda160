import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { connectListener, offerReport } from '../../src/reports/call-listener.ts'
import { makePos } from '../support/hub/hub.ts'
import { askToListen } from '../support/shops/listener.ts'
import { loggedOf } from '../support/logged.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'
import { withOwnTimers } from '../support/time/own-timers.ts'

/** Replaces the object of one point of sale with a stub. */
function playObject(pos: string, answer: () => Promise<Response>): void {
  const getByName = env.REPORT_LISTENER.getByName.bind(env.REPORT_LISTENER)
  vi.spyOn(env.REPORT_LISTENER, 'getByName').mockImplementation((name) => {
    const stub = getByName(name)
    if (name === pos) vi.spyOn(stub, 'fetch').mockImplementation(answer)
    return stub
  })
}

/** The object's end of a socket, and a function that hands the other end to the Worker. */
function socketOf() {
  const { 0: client, 1: server } = new WebSocketPair()
  const closed = Promise.withResolvers<number>()
  server.addEventListener('close', ({ code }) => closed.resolve(code))
  server.accept()
  const headers = { 'x-listened-as': 'answers' }
  return { server, closed, response: new Response(null, { status: 101, webSocket: client, headers }) }
}

async function problemOf(response: Response) {
  return {
    ...(await response.json<{ code: string; status: number }>()),
    retryAfter: response.headers.get('retry-after'),
  }
}

describe('an object of listeners that does not answer', () => {
  const unavailable = { status: 503, code: 'unavailable', retryAfter: '2' }

  it('because it is overloaded: a listener gets a 503 with a time to come back', async () => {
    const { id, apiKey } = await makePos()
    playObject(id, () => Promise.reject(Object.assign(new Error('busy'), { overloaded: true })))
    expect(await problemOf(await askToListen(apiKey))).toMatchObject(unavailable)
  })

  it('in time: no listener is connected, and a late socket is closed', async () => {
    const pos = crypto.randomUUID()
    const late = Promise.withResolvers<Response>()
    playObject(pos, () => late.promise)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await withOwnTimers(async () => {
      const connecting = connectListener(env, sampleProfile({ pos }), 'answers')
      await vi.advanceTimersByTimeAsync(3000)
      expect(await connecting).toBe('unavailable')
    })
    expect(loggedOf(errors, pos)).toMatchObject([{ event: 'report.listener-unasked' }])
    const { closed, response } = socketOf()
    late.resolve(response)
    expect(await closed.promise).toBe(1000)
  })
})

describe('an answer to a try', () => {
  const [asked, other] = ['0a1b2c3d-0000-4000-8000-00000000abcd', '0a1b2c3d-0000-4000-8000-00000000abce']
  const offered = async () => {
    const pos = crypto.randomUUID()
    const { server, response } = socketOf()
    playObject(pos, () => Promise.resolve(response))
    const offer = await offerReport(env, sampleProfile({ pos }), asked)
    const send = (delivery: string, status: number) =>
      server.send(JSON.stringify({ type: 'answer', delivery, status }))
    return { offer, send }
  }

  it('with another name does not count', async () => {
    const { offer, send } = await offered()
    send(other, 200)
    send(asked, 500)
    expect(await offer?.answer(AbortSignal.timeout(10_000))).toMatchObject({ delivery: asked, status: 500 })
    offer?.end()
  })

  it('may have its name in capitals', async () => {
    const { offer, send } = await offered()
    send(asked.toUpperCase(), 201)
    expect(await offer?.answer(AbortSignal.timeout(10_000))).toMatchObject({ delivery: asked, status: 201 })
    offer?.end()
  })
})
