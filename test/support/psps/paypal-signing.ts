import { crc32 } from 'node:zlib'
import type { SentNotification } from './fake-psp.ts'

/** A key of the double, and its certificate, which openssl made for it. They protect nothing. */
const KEY =
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7KxplcFGxvju6LCwI/TsAXH0Cl1CqCJP+uLvhkV58YV4sk4+f' +
  '9MwJmrUl8qOqXdQTDzIbD9UwqdJ0u/zRiQ3Yh1t9OPA8StQ9TI2c0uAafekwuprAujRPQlPapH3zUBDuvYSPwu1OvxXV6AszLZJu' +
  'i1k7O6cb5zU40km9FgD/aS7O7ji3/KnNdPqUx55+uTxf910VmPoqxDwEEaqrgLhk1wd2dNfTRh7AjSsMtIrN1yrpUJoDpTkpIsFH' +
  'EGD9HQlfW3/fii2uqGjcDjHNB3LtYRhZ+kOvpT6ondNqKXCCOyL+2r9YAbHCgY+u0y3rdKUaryr+AR4u8gwUMY44KWfVAgMBAAEC' +
  'ggEAAR+C1sl8AAJJdvZFZF9qn3eum1mflwmao7xlija2V64447EV+0p7f/JA9IOWdlL+Twf4D8ACUjquo9st6u702ZAEXUW+cUos' +
  'qFqBfgeo5xfK0qtH+vCTGEeoW6dBhzh7hYc3GKq9hEuyvJgaGxpCpu2ooSmcONdkEx116k/LvTyYcv6gFSytEt5/1GqEkaYLXHsa' +
  'c17EzzhAoRT1bp6zN9QYe8HPcWuONfH4P9FiyB0tOTFl+lWc+vA5/fY1Uif0NeqclbFSjPjbHMNPSwEiMtLO2lt+Mog3BcVxZnw4' +
  'FyHhnPJzgzNleoGV3Je+ZXuLvR9s6Wd7cYTknu81evJ7uQKBgQDwy3I+95SYjCLAlvkUC1aEVq5OIfGyokCeJK02OsSwUgcDlPJH' +
  'XMpDS+EqzA4xOSRZdkxp8XXr6232xTtv2DTRn2vfaWunHFLaaxdg32/T96JXvYgTwUIFRnQYfEaebJCrAds7VTttTxqgXwHwolE6' +
  'IvEejDs4uyYXKr3VD+6SiQKBgQDG/MNe8obT3s/mZRZSW40GygAHpTrF/qCvEZ+vd1Iwan3Jtq3jJpOIdGREF+APXl5LwbTRsHpJ' +
  'I4g+bDgIgVSxkYGcCCnCbuqTvAp41y5azBPqp5z0L95jN98UpjMrCnRwnRlBgupHxOV5h7vDkRwc5wkNXnmq3N/iJUpw9XoH7QKB' +
  'gQCw5pYZImRdqd5CJOf6TNYTxWaq6g8aEE9unz1NcOFdM/YJMJzJxqalyBI1EdJ/YR6ORvWeg5EBcGXJ/F5NLcaoFfn3GQjIrWtF' +
  'IZX8SkpqrCvtT8Wv1bP+EiNqdaqf6txhdaytK1HMXWgPV50iPu1zy4XezmEXrY4vSOxLojfAGQKBgGj14PQPR5EwYUdtIOYWRoBD' +
  'QtrFjAfuNMHDsRB0BxVkxq8EvhooOf/rLQxB770LkP+y0Hce+JHlvTL4EGJkHdGAJ/au06Ass21z7a4qCth39zV6bi7bpRl+2hvh' +
  'QvI8FIlmRHEq5fsvX7/IGgGhZEvWjg7QO6sl0K5P70FAKrtNAoGAInNhTGe5Vez7gyiyoUzV6Ocar+sRMTVeG9qAuGdNLa6aXirR' +
  '31C0PDdjhIwfXemZWNyqyW8hVoE19NhHcGB9wZvPCmSrz3DQbAYcRGuCVCeZ0tGJbLvRfvtu47nXWFa033/hxb4Si42Lc4CjyCFE' +
  '6irh25L4GtcJFjMQW86URzQ='
const CERTIFICATE =
  'MIIDPzCCAiegAwIBAgIUW66de1MaH4XTwHRyYhAbtXODXbIwDQYJKoZIhvcNAQELBQAwLjEsMCoGA1UEAwwjbWVzc2FnZXZlcmlm' +
  'aWNhdGlvbmNlcnRzLnBheXBhbC5jb20wIBcNMjYxMTI4MjMxNTUzWhgPMjA1OTEwMDYyMzE1NTNaMC4xLDAqBgNVBAMMI21lc3Nh' +
  'Z2V2ZXJpZmljYXRpb25jZXJ0cy5wYXlwYWwuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuysaZXBRsb47uiws' +
  'CP07AFx9ApdQqgiT/ri74ZFefGFeLJOPn/TMCZq1JfKjql3UEw8yGw/VMKnSdLv80YkN2IdbfTjwPErUPUyNnNLgGn3pMLqawLo0' +
  'T0JT2qR981AQ7r2Ej8LtTr8V1egLMy2SbotZOzunG+c1ONJJvRYA/2kuzu44t/ypzXT6lMeefrk8X/ddFZj6KsQ8BBGqq4C4ZNcH' +
  'dnTX00YewI0rDLSKzdcq6VCaA6U5KSLBRxBg/R0JX1t/34otrqho3A4xzQdy7WEYWfpDr6U+qJ3Tailwgjsi/tq/WAGxwoGPrtMt' +
  '63SlGq8q/gEeLvIMFDGOOCln1QIDAQABo1MwUTAdBgNVHQ4EFgQUg9vt5NI0PFIKIEy6qZDy9b2+iOowHwYDVR0jBBgwFoAUg9vt' +
  '5NI0PFIKIEy6qZDy9b2+iOowDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAMWxnuNq2z3hWL5Ty1mJBExc8w6s4' +
  'culrkk/nMJqAwc4VeF1ZH65RdWMKFKy93gpgGl11rBJGVQy+TOPwpxo9SuzGONGUvVexSobN4AVZcMwmYUT5mkUZWw73SxtgHHOO' +
  'vj/iQfHwcm/eugB08LRGoSrLJnb1NaSKRVJwFiNgeionQc1zn4MZY4HrPtMJlpG2cEguFnNDyhT6XCdQdyE68n2rgEwAAhpleJSv' +
  'upUARHbJ0FfA1Rx08QnLyW/XbUlkvVpLBvGNjeROiQhhXN5IXg1RK8q5cVs7UHjBOD0lGhuc7eYNb1gbK0LvMNvStMfi4inb7Zx5' +
  's/Apfqio01QhZA=='

export const PEM = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

export const CERT_PATH = '/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
export const CERT_URL = `https://api.paypal.com${CERT_PATH}`

/**
 * Sends a body as PayPal does, signed for a webhook at a time (ms):
 * https://developer.paypal.com/api/rest/webhooks/rest/#link-verifyeventswithpayloadselfverificationmethod
 */
export async function signedByPaypal(body: string, webhookId: string, at: number): Promise<SentNotification> {
  const id = crypto.randomUUID()
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('pkcs8', bytes(KEY), algorithm, false, ['sign'])
  const text = new TextEncoder().encode(`${id}|${time}|${webhookId}|${crc32(body)}`)
  const signature = await crypto.subtle.sign(algorithm.name, key, text)
  const headers = {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': CERT_URL,
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': btoa(String.fromCharCode(...new Uint8Array(signature))),
  }
  return { url: null, headers, body }
}

function bytes(base64: string) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
