import { describe, expect, it } from 'vitest'
import { operate } from '../support/operator.ts'

describe('adding a point of sale', () => {
  it('shows its API key and signing secret, and what it is', async () => {
    const response = await operate('POST', '/pos', { name: ' Shop 1 ' })
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      name: 'Shop 1',
      mode: 'test',
      signReturn: false,
      dialect: 'v2',
      created: expect.any(String) as string,
      disabled: null,
      apiKey: expect.stringMatching(/^[0-9A-Za-z]{160}$/) as string,
      signingSecret: expect.stringMatching(/^[0-9A-Za-z+/]{64}$/) as string,
    })
  })
})

it('lists them without any secret', async () => {
  await operate('POST', '/pos', { name: 'Listed', mode: 'live' })
  const text = await (await operate('GET', '/pos')).text()
  expect(text).toContain('"name":"Listed","mode":"live"')
  expect(text).not.toMatch(/apiKey|signingSecret|hash/)
})

describe('the operator API', () => {
  it.each(['', 'wrong', 'x'.repeat(64)])('refuses whoever has not its token: %j', async (token) => {
    for (const [method, path] of [
      ['GET', '/pos'],
      ['POST', '/pos'],
      ['GET', '/frob'],
    ] as const) {
      expect((await operate(method, path, undefined, token)).status).toBe(401)
    }
  })
})
