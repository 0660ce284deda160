import * as v from 'valibot'
import { bounded } from '../../platform/bounded.ts'
import { fromBase64, utf8 } from '../../platform/crypto/hash.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { DAY } from '../../contract/timestamp.ts'
import type { Unavailable } from '../answer.ts'
import { type Call, DEADLINE, readLimited, unavailable } from '../http-client.ts'
import type { Fetch, Notification, NotificationReading } from '../port.ts'
import { crc32, publicKeyIn } from './certificate.ts'
import { jobIn } from './order.ts'

/** The events of orders, their captures, authorisations and refunds. All of them only make the hub ask. */
export const EVENTS: readonly string[] = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.FAILED',
  'PAYMENT.REFUND.PENDING',
]

const Event = v.object({ event_type: v.string(), resource: v.unknown() })
/** A capture, an authorisation or a refund has the `custom_id` of its order, which is the job. */
const OfOrder = v.object({ custom_id: v.string() })

/** A refund that was made in PayPal's dashboard may name only its capture, as the resource above it. */
const OfCapture = v.object({ links: v.array(v.object({ rel: v.string(), href: v.string() })) })

/**
 * Reads a notification. It names the job, but not always the order, so there is no reference: the hub asks about the
 * job's payment at the account.
 */
export async function readNotification(
  { headers, body }: Notification,
  { webhookId, fetch, call }: { webhookId: string; fetch: Fetch; call: Call },
): Promise<NotificationReading> {
  const proof = await whoseProof(headers, body, webhookId, fetch)
  if (proof !== 'PayPal') return proof === 'unknown' ? unavailable(NO_KEY) : { is: 'unauthentic' }
  const event = v.safeParse(Event, parsed(body))
  if (!event.success) return { is: 'about', payments: [] }
  const { resource } = event.output
  const job = jobIn(resource) ?? customIn(resource) ?? (await jobOfCapture(resource, call))
  if (typeof job === 'object') return job ?? { is: 'about', payments: [] }
  return { is: 'about', payments: [{ job, reference: null, claimedStatus: null }] }
}

function customIn(resource: unknown): string | null {
  return v.is(OfOrder, resource) ? resource.custom_id : null
}

async function jobOfCapture(resource: unknown, call: Call): Promise<string | Unavailable | null> {
  const links = v.is(OfCapture, resource) ? resource.links : []
  const [, capture] = /\/captures\/([A-Z0-9]+)$/.exec(links.find(({ rel }) => rel === 'up')?.href ?? '') ?? []
  if (capture === undefined) return null
  const answer = await call('GET', `/v2/payments/captures/${capture}`)
  return answer.is === 'unavailable' ? answer : customIn(answer.body)
}

const NO_KEY = "PayPal's certificate for the notification could not be fetched."

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** The public keys of this isolate, by the address of their certificates, for a day. */
const keys = bounded<CryptoKey>(DAY)

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/**
 * Returns who has signed a notification; `unknown` if PayPal's key cannot be fetched now. Checks the signature here: to
 * send the notification back to PayPal, as is also possible, would cost a request to the account for whatever anybody
 * sends. The signed text has the id of the account's webhook, and the key comes from PayPal's own server.
 * https://developer.paypal.com/api/rest/webhooks/rest/#link-verifyeventswithpayloadselfverificationmethod
 */
async function whoseProof(
  headers: Headers,
  body: string,
  webhookId: string,
  fetch: Fetch,
): Promise<'PayPal' | 'nobody' | 'unknown'> {
  const of = (name: string) => headers.get(`paypal-${name}`) ?? ''
  const address = URL.parse(of('cert-url'))
  if (of('auth-algo') !== 'SHA256withRSA' || !address || !isOfPaypal(address)) return 'nobody'
  const key = keys.get(address.href) ?? (await fetchKey(address.href, fetch))
  if (!key) return 'unknown'
  const text = [of('transmission-id'), of('transmission-time'), webhookId, crc32(utf8(body))].join('|')
  const signature = bytesIn(of('transmission-sig'))
  const isSigned = signature && (await crypto.subtle.verify(RSA.name, key, signature, utf8(text)))
  return isSigned ? 'PayPal' : 'nobody'
}

/** Returns whether only PayPal can have put a certificate there. */
function isOfPaypal({ protocol, hostname, port, username, pathname }: URL): boolean {
  const isServer = /^api(-m)?(\.sandbox)?\.paypal\.com$/.test(hostname)
  const isPlain = protocol === 'https:' && port === '' && username === ''
  return isServer && isPlain && pathname.startsWith('/v1/notifications/certs/')
}

/** The most bytes of a certificate with those of its issuers. */
const MOST_BYTES = 64 * 1024

async function fetchKey(address: string, fetch: Fetch): Promise<CryptoKey | null> {
  return withDeadline(DEADLINE, async (signal) => {
    try {
      const response = await fetch(new Request(address, { redirect: 'manual', signal }))
      const pem = response.ok && response.body && (await readLimited(response.body, signal, MOST_BYTES))
      if (!pem) return null
      const key = await crypto.subtle.importKey('spki', publicKeyIn(pem), RSA, false, ['verify'])
      keys.set(address, key)
      return key
    } catch {
      return null
    }
  })
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(base64)
  } catch {
    return null
  }
}
