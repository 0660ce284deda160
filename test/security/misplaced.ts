import { env } from 'cloudflare:workers'
import { order } from '../support/hub/hub.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Requests with a secret in a wrong place: in an address, a body, another header. */
export function misplacements(secret: string, token: string): [path: string, init: RequestInit][] {
  const bearer = { authorization: `Bearer ${token}` }
  const operator = { authorization: `Bearer ${env.OPERATOR_TOKEN}` }
  const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { ...bearer, ...JSON_TYPE, ...headers },
    body,
  })
  const paths = [
    `/${secret}`,
    `/v1/guardian/${secret}`,
    `/v2/paymentjobs/${secret}`,
    `/v1/guardian?key=${secret}`,
  ]
  const pages = [
    `/pay/${secret}`,
    `/return/${secret}`,
    `/pay/${secret}/${secret}`,
    `/sandbox/checkout/${secret}`,
  ]
  return [
    ...[...paths, ...pages, `/operator/v1/jobs/${secret}`].map((path): [string, RequestInit] => [
      path,
      { headers: bearer },
    ]),
    ['/v1/guardian', { headers: { authorization: `Basic ${secret}` } }],
    ['/v1/guardian', { headers: { authorization: `Bearer x${secret}` } }],
    ['/v1/guardian', { headers: { authorization: secret } }],
    ['/v2/paymentjobs/x', { headers: { authorization: `Bearer ${secret}x` } }],
    ['/operator/v1/pos', { headers: { authorization: `Bearer ${secret}x` } }],
    [`/operator/v1/jobs/${secret}`, { headers: operator }],
    [`/operator/v1/index/${secret}/verify`, { headers: operator, method: 'PUT' }],
    [`/operator/v1/reports/undelivered?from=${secret}&to=${secret}`, { headers: operator }],
    [`/operator/v1/jobs?order_number=${secret}&pos=${secret}&after=${secret}`, { headers: operator }],
    ['/operator/v1/pos', post(JSON.stringify({ name: 7, mode: secret }), operator)],
    ['/operator/v1/pos', post(secret, operator)],
    ...Object.keys(order).map((field): [string, RequestInit] => [
      '/v2/paymentjobs',
      post(JSON.stringify({ ...order, [field]: `\u0000${secret}` })),
    ]),
    ['/v2/paymentjobs', post(JSON.stringify({ [secret]: secret }))],
    ['/v2/paymentjobs', post(secret)],
    ['/v2/paymentjobs', post(`{"amount": ${secret}}`)],
    ['/v2/paymentjobs', post('{}', { 'content-type': `text/${secret}` })],
    ['/v2/paymentjobs', post('{}', { 'idempotency-key': `${secret} ${secret}` })],
    [`/notifications/${secret}/${secret}`, post(secret)],
    [`/sandbox/payments/${secret}/pay`, post(secret)],
    ['/sandbox/checkout/tr_aaaaaaaaaa', post(`outcome=${secret}`)],
  ]
}
