import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { CREDENTIALS, LINK, adyenError, atAdyen, link } from './at-adyen.ts'
import { type Answers, json, paymentRequest, patience } from '../scripted.ts'

const EXPIRES_AT = Date.UTC(2026, 10, 21, 10, 15)
const PATH = `https://checkout-test.adyen.com/v71/paymentLinks/${LINK}`
function seen(...answers: Answers) {
  return atAdyen(...answers).psp.ask(LINK, 'EUR')
}

describe('a payment that Adyen holds', () => {
  it('is announced with its reference, the way to its checkout and its end', async () => {
    expect(await atAdyen(json(201, link())).psp.announce(paymentRequest, patience)).toEqual({
      is: 'announced',
      reference: LINK,
      checkoutUrl: `https://test.adyen.link/${LINK}`,
      expiresAt: EXPIRES_AT,
    })
  })

  it('is asked about by one authorized GET', async () => {
    const { psp, requests } = atAdyen(json(200, link()))
    await psp.ask(LINK, 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${PATH}`])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'x-api-key': CREDENTIALS.apiKey,
      accept: 'application/json',
    })
  })

  it('cannot be named in a way that leads to another address', async () => {
    const { psp, requests } = atAdyen(json(200, link()))
    await psp.ask('../sessions?x=1#', 'EUR')
    expect(requests[0]?.url).toBe('https://checkout-test.adyen.com/v71/paymentLinks/..%2Fsessions%3Fx%3D1%23')
  })

  it.each([
    ['active', { status: 'PENDING', stage: { is: 'open' } }, 0],
    ['paymentPending', { status: 'PENDING', stage: { is: 'underway', patience: 28 * DAY } }, 0],
    ['completed', { status: 'SUCCESS' }, 1250],
    ['paid', { status: 'SUCCESS' }, 1250],
    ['expired', { status: 'EXPIRED', closed: false }, 0],
  ])('that is %s there is %j here, with %d paid', async (there, standing, paid) => {
    expect(await seen(json(200, link({ status: there })))).toEqual({
      is: 'observed',
      ...standing,
      paid,
      expiresAt: EXPIRES_AT,
    })
  })

  it('in a status that nobody knows is no answer, and the operator is told the word', async () => {
    expect(await seen(json(200, link({ status: 'halfPaid' })))).toEqual({
      is: 'unavailable',
      message: 'Adyen says that the link is "halfPaid", which the hub does not know.',
    })
  })

  it.each([
    ['2026-11-21T10:15:00Z', EXPIRES_AT],
    ['2026-11-21T11:15:00+01:00', EXPIRES_AT],
    ['2026-11-21T10:15:00.250Z', EXPIRES_AT + 250],
    [null, null],
    [undefined, null],
  ])('whose expiresAt is %j ends at %j', async (expiresAt, end) => {
    const held = link({ expiresAt })
    expect(await seen(json(200, held))).toMatchObject({ is: 'observed', expiresAt: end })
    expect(await atAdyen(json(201, held)).psp.announce(paymentRequest, patience)).toMatchObject({
      is: 'announced',
      expiresAt: end,
    })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atAdyen(json(200, link({ status: 'active' })), ...answers)
    const answer = await psp.stop(LINK, 'EUR')
    const [first, ...others] = requests
    expect(first).toMatchObject({ method: 'GET', url: PATH })
    return { answer, requests: others, asked: others.map(({ method, url }) => `${method} ${url}`) }
  }

  it('makes its link expire, which is cancelled here', async () => {
    const { answer, asked, requests } = await stopped(json(200, link({ status: 'expired' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'CANCELLED', closed: false, paid: 0 })
    expect(asked).toEqual([`PATCH ${PATH}`])
    expect(await requests[0]?.json()).toEqual({ status: 'expired' })
  })

  it.each([400, 403, 409, 422])('is what a question says when Adyen refuses it with %d', async (status) => {
    const refused = adyenError(status, '14_000', 'The payment link is not active')
    const paid = await stopped(refused, json(200, link({ status: 'completed' })))
    expect(paid.answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(paid.asked).toEqual([`PATCH ${PATH}`, `GET ${PATH}`])
    const { answer } = await stopped(refused, json(200, link({ status: 'expired' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'EXPIRED', paid: 0 })
  })

  it('finds it paid in the very answer', async () => {
    const { answer } = await stopped(json(200, link({ status: 'completed' })))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    ['paymentPending', 'PENDING', 0],
    ['completed', 'SUCCESS', 1250],
    ['expired', 'EXPIRED', 0],
  ])('leaves a link alone that is %s', async (status, here, paid) => {
    const { psp, requests } = atAdyen(json(200, link({ status })))
    expect(await psp.stop(LINK, 'EUR')).toMatchObject({ is: 'observed', status: here, paid })
    expect(requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it.each([404, 410])('tells that it is unknown when Adyen answers %d', async (status) => {
    const { answer, asked } = await stopped(adyenError(status, '14_000', 'Not found'))
    expect(answer).toEqual({ is: 'unknown' })
    expect(asked).toHaveLength(1)
  })

  it('tells nothing of it when Adyen fails', async () => {
    const { answer, asked } = await stopped(json(503, {}))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect(asked).toHaveLength(1)
  })
})
