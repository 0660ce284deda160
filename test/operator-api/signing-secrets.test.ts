import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Pos, createJob, makePos, payAs, read, tokenFor } from '../support/hub/hub.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

type Made = { signingSecret: string; made: string; repeated: boolean; formerUntil: string | null }

let pos: Pos
beforeEach(async () => {
  pos = await makePos({ signReturn: true })
})

async function resecret(body?: object): Promise<Made> {
  return answerTo('POST', `/pos/${pos.id}/secret`, body)
}

/** The largest difference (ms) from the expected time. */
const NEAR = 60_000
const HOUR = 3_600_000

describe('a signing secret that is requested again', () => {
  it('is the one that was just made', async () => {
    const first = await resecret()
    expect(first).toMatchObject({ repeated: false, formerUntil: null })
    expect(await resecret()).toEqual({ ...first, repeated: true, formerUntil: null })
  })

  it('is the one that a failed call made', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const put = env.TOKENS.put.bind(env.TOKENS)
    const broken = vi
      .spyOn(env.TOKENS, 'put')
      .mockImplementation(async (name: string, ...rest: unknown[]) => {
        if (name === `pos:${pos.id}`) throw new Error('KV PUT failed: 500')
        await put(name, ...(rest as [string]))
      })
    expect((await operate('POST', `/pos/${pos.id}/secret`)).status).toBe(503)
    broken.mockRestore()
    const { signingSecret, repeated } = await resecret()
    expect(repeated).toBe(true)
    const token = await tokenFor(pos)
    const response = await read(token, crypto.randomUUID())
    expect(response.headers.get('x-signature')).toBe(await hmacSha512(signingSecret, await response.text()))
    const row = env.DB.prepare('select signing_version from points_of_sale where id = ?').bind(pos.id)
    expect(await row.first('signing_version')).toBe(2)
  })

  it('is another one after an hour, or at once on request', async () => {
    const first = await resecret()
    const second = await resecret({ again: true })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR - 1000 })
    expect(await resecret()).toEqual({ ...second, repeated: true })
    vi.setSystemTime(Date.now() + 2000)
    const third = await resecret()
    expect([second.repeated, third.repeated]).toEqual([false, false])
    const all = [pos.signingSecret, first.signingSecret, second.signingSecret, third.signingSecret]
    expect(new Set(all).size).toBe(4)
  })

  it('stays the same while the previous one signs, because a shop has only that one', async () => {
    const first = await resecret({ overlapHours: 48 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 47 * HOUR })
    expect(await resecret()).toEqual({ ...first, repeated: true })
    vi.setSystemTime(Date.now() + 2 * HOUR)
    expect(await resecret()).toMatchObject({ repeated: false, formerUntil: null })
  })

  it('is one secret for two calls at the same time', async () => {
    const both = await Promise.all([resecret(), resecret()])
    expect(new Set(both.map(({ signingSecret }) => signingSecret)).size).toBe(1)
    expect(both.map(({ repeated }) => repeated).toSorted()).toEqual([false, true])
  })
})

describe('a new signing secret with an overlap', () => {
  const signerOf = async (response: Response, secrets: Record<string, string>) => {
    const [signature, body] = [response.headers.get('x-signature'), await response.text()]
    const signers: string[] = []
    for (const [name, secret] of Object.entries(secrets)) {
      if ((await hmacSha512(secret, body)) === signature) signers.push(name)
    }
    return signers
  }

  it('leaves the X-Signature of answers, reports and returns to the previous one for that time', async () => {
    const shop = receiver()
    const token = await tokenFor(pos)
    const { signingSecret, formerUntil } = await resecret({ overlapHours: 1.5 })
    expect(Math.abs(Date.parse(formerUntil ?? '') - (Date.now() + 1.5 * HOUR))).toBeLessThan(NEAR)
    const secrets = { old: pos.signingSecret, new: signingSecret }
    const { payUrl, paymentJob } = await createJob(token)
    expect(await signerOf(await read(token, paymentJob), secrets)).toEqual(['old'])
    const back = new URL(await payAs(payUrl, 'paid'))
    expect(back.searchParams.get('signature')).toBe(
      await hmacSha512(pos.signingSecret, `A-7,7,${paymentJob}`),
    )
    const report = await vi.waitFor(() => {
      const [first] = shop.of(paymentJob)
      if (!first) throw new Error('no report yet')
      return first
    }, 15_000)
    expect(report.headers['x-signature']).toBe(await hmacSha512(pos.signingSecret, report.body))
    for (const secret of Object.values(secrets)) {
      expect(() => new Webhook(secret).verify(report.body, report.headers)).not.toThrow()
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1.5 * HOUR + 1000 })
    expect(await signerOf(await read(token, paymentJob), secrets)).toEqual(['new'])
  })

  it('ends early when the shop has changed over, and can be extended later', async () => {
    const token = await tokenFor(pos)
    const { signingSecret } = await resecret()
    const secrets = { old: pos.signingSecret, new: signingSecret }
    const signer = async () => signerOf(await read(token, crypto.randomUUID()), secrets)
    expect(await signer()).toEqual(['new'])
    expect(await resecret({ overlapHours: 24 })).toMatchObject({ repeated: true, signingSecret })
    expect(await signer()).toEqual(['old'])
    expect(await resecret({ overlapHours: 0 })).toMatchObject({ repeated: true, formerUntil: null })
    expect(await signer()).toEqual(['new'])
  })

  it('ends when another one is made without an overlap', async () => {
    await resecret({ overlapHours: 24 })
    const { signingSecret, formerUntil } = await resecret({ again: true })
    expect(formerUntil).toBeNull()
    const token = await tokenFor(pos)
    expect(await signerOf(await read(token, crypto.randomUUID()), { new: signingSecret })).toEqual(['new'])
  })
})
