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
      created: expect.any(String) as string,
      disabled: null,
      apiKey: expect.stringMatching(/^[0-9A-Za-z]{160}$/) as string,
      signingSecret: expect.stringMatching(/^[0-9A-Za-z+/]{64}$/) as string,
    })
  })

  it.each([
    ['name', {}],
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['mode', { name: 'x', mode: 'prod' }],
    ['signReturn', { name: 'x', signReturn: 'yes' }],
  ])('names a bad %s', async (field, body) => {
    const response = await operate('POST', '/pos', body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ field })
  })
})

it('lists them without any secret', async () => {
  await operate('POST', '/pos', { name: 'Listed', mode: 'live' })
  const text = await (await operate('GET', '/pos')).text()
  expect(text).toContain('"name":"Listed","mode":"live"')
  expect(text).not.toMatch(/apiKey|signingSecret|hash/)
})

it('says when there is no such point of sale to disable', async () => {
  expect((await operate('POST', '/pos/frob/disable')).status).toBe(404)
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
