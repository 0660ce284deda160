import { describe, expect, it } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import { hmacSha512 } from '../../support/shops/hmac.ts'
import { API_KEY, atMultiSafepay, order } from './samples.ts'
import { json, paymentRequest } from '../scripted.ts'

const AT = Date.UTC(2026, 10, 21, 10, 15)
const NOW = AT / 1000
const BODY = JSON.stringify(
  order({ description: 'Café ☕', status: 'completed', financial_status: 'completed' }),
)

async function authOf(timestamp: number | string, body: string, key = API_KEY) {
  return btoa(`${timestamp}:${await hmacSha512(key, `${timestamp}:${body}`)}`)
}
function read(auth: string | null, body = BODY, job: string | null = paymentRequest.job) {
  return atMultiSafepay(json(500, {})).psp.readNotification({
    job,
    headers: new Headers(auth === null ? {} : { Auth: auth }),
    body,
    at: AT,
  })
}

function aboutJob(claimedStatus: 'SUCCESS' | null) {
  const { job } = paymentRequest
  return { is: 'about', payments: [{ job, reference: job, claimedStatus }] }
}
const ABOUT_JOB = aboutJob('SUCCESS')
const UNAUTHENTIC = { is: 'unauthentic' }

describe('a notification', () => {
  it('is about the order in its body', async () => {
    expect(await read(await authOf(NOW, BODY))).toEqual(ABOUT_JOB)
  })

  it('is about the order in its body even if its address names no job', async () => {
    expect(await read(await authOf(NOW, BODY), BODY, null)).toEqual(ABOUT_JOB)
  })

  it.each([
    ['without an order', '{}'],
    ['that is not JSON', 'nonsense'],
    ['that is empty', ''],
    ['that is null', 'null'],
    ['with an order id that is not a text', JSON.stringify(order({ order_id: 7 }))],
  ])('with a body %s is about nothing', async (_, body) => {
    expect(await read(await authOf(NOW, body), body)).toEqual({ is: 'about', payments: [] })
  })

  it('of a refund, which is an order of its own, is a reason to ask about the job of its address', async () => {
    const refund = JSON.stringify(order({ order_id: '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f' }))
    expect(await read(await authOf(NOW, refund), refund)).toEqual(aboutJob(null))
  })

  it.each([
    ['initialized', 'initialized'],
    ['completed', 'uncleared'],
    ['completed', 'initialized'],
    ['expired', 'expired'],
  ])('of an order that is %s and %s does not say that it is paid', async (status, financial_status) => {
    const body = JSON.stringify(order({ status, financial_status }))
    expect(await read(await authOf(NOW, body), body)).toEqual(aboutJob(null))
  })

  it.each([0, -600, 600])('is believed if its clock is %d seconds off', async (offset) => {
    expect(await read(await authOf(NOW + offset, BODY))).toEqual(ABOUT_JOB)
  })

  it.each([-601, 601, -86_400, 86_400])('is not believed if its clock is %d seconds off', async (offset) => {
    expect(await read(await authOf(NOW + offset, BODY))).toEqual(UNAUTHENTIC)
  })

  it('is judged by the time of its arrival, to the second', async () => {
    const headers = new Headers({ Auth: await authOf(NOW - 600, BODY) })
    const readAt = (at: number) =>
      atMultiSafepay(json(500, {})).psp.readNotification({ job: paymentRequest.job, headers, body: BODY, at })
    expect(await readAt(AT + 999)).toEqual(ABOUT_JOB)
    expect(await readAt(AT + 1000)).toEqual(UNAUTHENTIC)
  })
})

describe('a notification is not believed', () => {
  it('that another key signed', async () => {
    expect(await read(await authOf(NOW, BODY, `${API_KEY}x`))).toEqual(UNAUTHENTIC)
  })

  it('whose signature is from another time', async () => {
    const [, signature] = atob(await authOf(NOW, BODY)).split(':')
    expect(await read(btoa(`${NOW + 1}:${signature}`))).toEqual(UNAUTHENTIC)
  })

  it.each([
    ['is missing', null],
    ['is empty', ''],
    ['is not base64', '%%%'],
    ['is the text instead of its base64', `${NOW}:${'0'.repeat(128)}`],
    ['has no colon', btoa(String(NOW))],
    ['has no signature', btoa(`${NOW}:`)],
    ['has no time', btoa(`:${'0'.repeat(128)}`)],
    ['has an invalid time', btoa(`soon:${'0'.repeat(128)}`)],
    ['has a negative time', btoa(`-5:${'0'.repeat(128)}`)],
    ['has an impossible time', btoa(`${'9'.repeat(400)}:${'0'.repeat(128)}`)],
    ['has bytes that are not text', btoa('\xff\xfe:\x00')],
  ])('whose header %s', async (_, auth) => {
    expect(await read(auth)).toEqual(UNAUTHENTIC)
  })

  it('whose time is not a number, even with the right signature', async () => {
    for (const timestamp of ['', 'soon', `${NOW}.5`, ` ${NOW}`, '1e9']) {
      expect(await read(await authOf(timestamp, BODY)), timestamp).toEqual(UNAUTHENTIC)
    }
  })
})

it('is answered with the word that MultiSafepay wants', () => {
  expect(atMultiSafepay(json(500, {})).psp.accepted).toBe('OK')
})

it('is signed with the API key, without the space that the operator pasted around it', async () => {
  const psp = multisafepay.open({
    fetch: async () => new Response(),
    mode: 'live',
    credentials: { apiKey: ` ${API_KEY}\n` },
  })
  const headers = new Headers({ Auth: await authOf(NOW, BODY) })
  expect(await psp.readNotification({ job: paymentRequest.job, headers, body: BODY, at: AT })).toEqual(
    ABOUT_JOB,
  )
})
