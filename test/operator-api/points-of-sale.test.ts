import { beforeEach, describe, expect, it } from 'vitest'
import { askWith, createJob, makePos, payAs, read, tokenFor, type Pos } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

type Shown = { name: string; signReturn: boolean; disabled: string | null }

let pos: Pos
beforeEach(async () => {
  receiver()
  pos = await makePos()
})

async function listed(): Promise<Shown | undefined> {
  const { pointsOfSale } = await answerTo<{ pointsOfSale: (Shown & { id: string })[] }>('GET', '/pos')
  return pointsOfSale.find(({ id }) => id === pos.id)
}

describe('changing a point of sale', () => {
  it('gives it another name, and leaves everything else', async () => {
    const response = await operate('POST', `/pos/${pos.id}`, { name: ' Shop 2 ' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id: pos.id, name: 'Shop 2', signReturn: false })
    expect(await listed()).toMatchObject({ name: 'Shop 2', signReturn: false, disabled: null })
  })

  it.each([true, false])('sets the signed return to %s for later returns', async (signReturn) => {
    await operate('POST', `/pos/${pos.id}`, { signReturn: !signReturn })
    const token = await tokenFor(pos)
    const { payUrl } = await createJob(token)
    expect(await answerTo('POST', `/pos/${pos.id}`, { signReturn })).toMatchObject({
      signReturn,
    })
    expect((await payAs(payUrl, 'paid')).includes('signature=')).toBe(signReturn)
  })
})

describe('enabling a point of sale that was disabled', () => {
  it('lets its API key and new tokens in again', async () => {
    await operate('POST', `/pos/${pos.id}/disable`)
    expect((await askWith(pos.apiKey, 'GET', '/v1/guardian')).status).toBe(401)
    expect(await answerTo('POST', `/pos/${pos.id}/enable`)).toEqual({
      id: pos.id,
      disabled: false,
    })
    expect(await listed()).toMatchObject({ disabled: null })
    expect((await createJob(await tokenFor(pos))).status).toBe('PENDING')
  })

  it('does nothing if it is enabled', async () => {
    const token = await tokenFor(pos)
    expect((await operate('POST', `/pos/${pos.id}/enable`)).status).toBe(200)
    const { paymentJob } = await createJob(token)
    expect((await read(token, paymentJob)).status).toBe(200)
  })
})

describe('adding a point of sale', () => {
  it('shows its API key, its signing secret and its settings', async () => {
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
      refundLimits: [],
      apiKey: expect.stringMatching(/^[0-9A-Za-z]{160}$/) as string,
      can: ['create', 'read', 'capture', 'refund', 'cancel'],
      expires: null,
      signingSecret: expect.stringMatching(/^[0-9A-Za-z+/]{64}$/) as string,
    })
  })
})

it('the list has no secrets', async () => {
  await operate('POST', '/pos', { name: 'Listed', mode: 'live' })
  const text = await (await operate('GET', '/pos')).text()
  expect(text).toContain('"name":"Listed","mode":"live"')
  expect(text).not.toMatch(/apiKey|signingSecret|hash/)
})
