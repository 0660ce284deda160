import type { PaymentJob } from '../contract/payment-job.ts'

/** `Headers`, or the headers as Node and most frameworks have them. */
export type ReportHeaders =
  | { get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * A report as it came in: an unread `Request`, or its headers and its raw body. What the object can do
 * counts, not its class: a framework may have its own `Request`.
 */
export type ReportRequest = { headers: ReportHeaders } & (
  | { arrayBuffer: () => Promise<ArrayBuffer> }
  | { text: () => Promise<string> }
  | {
      /** As it came in, before `JSON.parse`. */
      body: string | Uint8Array | ArrayBuffer
    }
)

/** A reason to refuse a report. */
export type ReportFault = 'signature-missing' | 'signature-wrong' | 'too-old' | 'body-unreadable'

/** A report that is not the hub's, or is too old. Answer 400, and ignore the report. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly code: ReportFault

  constructor(code: ReportFault, message: string) {
    super(message)
    this.code = code
  }
}

/** How far (s) a report's time may be from this machine's, as Standard Webhooks recommends. */
const TOLERANCE = 5 * 60
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/**
 * Checks that a report is the hub's and for this point of sale, and returns its job. `secret` is the
 * signing secret, or both the new and the old one while you change it. The signature is that of Standard
 * Webhooks and has a time. Reports from more than five minutes ago or ahead are refused; the hub signs each
 * retry anew. With `withoutTime`, a report without those headers is accepted by its `X-Signature`, in case a
 * proxy removes them. That signature has no time, so anybody who has an old report can send it again. Throws
 * a `ReportError`: answer 400.
 */
export async function verifyReport(
  request: ReportRequest,
  secret: string | readonly string[],
  { withoutTime = false }: { withoutTime?: boolean } = {},
): Promise<PaymentJob> {
  const header = headersOf(request.headers)
  const bytes = await bytesOf(request)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const hasTime = SIGNED_HEADERS.some((name) => header(name) !== null)
  const isGenuine =
    hasTime || !withoutTime
      ? await isSignedMessage(header, bytes, secrets)
      : await isSignedBody(header('x-signature'), bytes, secrets)
  if (!isGenuine) throw new ReportError('signature-wrong', 'The report is not signed with this secret.')
  return read(bytes)
}

type Header = (name: string) => string | null

/** Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`; the secret is the key as base64. */
async function isSignedMessage(header: Header, bytes: Bytes, secrets: readonly string[]): Promise<boolean> {
  const [id, time, signatures] = SIGNED_HEADERS.map(header)
  if (!id || !time || !signatures || !/^\d+$/.test(time)) {
    throw new ReportError('signature-missing', 'A header of the signature is missing or unreadable.')
  }
  if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE) {
    throw new ReportError(
      'too-old',
      'The report was signed more than five minutes ago or ahead, or this clock is wrong.',
    )
  }
  const signed = new Uint8Array(await new Blob([`${id}.${time}.`, bytes]).arrayBuffer())
  const given = signatures
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [signature.slice(3)] : []))
  return isAny(secrets, given, async (key, signature) => {
    const raw = fromBase64(key.replace(/^whsec_/, ''))
    return isHmac('SHA-256', raw, fromBase64(signature), signed)
  })
}

/** Checks `X-Signature`: hex HMAC-SHA512 of the body, keyed by the secret as text. */
async function isSignedBody(
  signature: string | null,
  bytes: Bytes,
  secrets: readonly string[],
): Promise<boolean> {
  if (signature === null) throw new ReportError('signature-missing', 'The report has no signature.')
  return isAny(secrets, [signature], async (key, hex) =>
    isHmac('SHA-512', new TextEncoder().encode(key), fromHex(hex), bytes),
  )
}

async function isAny(
  secrets: readonly string[],
  signatures: readonly string[],
  fits: (secret: string, signature: string) => Promise<boolean>,
): Promise<boolean> {
  const checks = secrets.flatMap((secret) => signatures.map((signature) => fits(secret, signature)))
  return (await Promise.all(checks)).includes(true)
}

type Bytes = Uint8Array<ArrayBuffer>

/** Compares by `verify`, in constant time. */
async function isHmac(
  hash: string,
  key: Bytes | null,
  signature: Bytes | null,
  text: Bytes,
): Promise<boolean> {
  if (key === null || key.length === 0 || signature === null) return false
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, signature, text)
}

function read(bytes: Bytes): PaymentJob {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub has signed it, and its tests hold it to its schemas
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as PaymentJob
  } catch {
    throw new ReportError('body-unreadable', 'The report is signed, but its body is not JSON.')
  }
}

function headersOf(headers: ReportHeaders): Header {
  const { get } = headers
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? null
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = byName.get(name)
    return value === undefined ? null : typeof value === 'string' ? value : (value[0] ?? null)
  }
}

type Readable = { body?: unknown; arrayBuffer?: () => Promise<ArrayBuffer>; text?: () => Promise<string> }

async function bytesOf(request: Readable): Promise<Bytes> {
  const raw = isRaw(request.body) ? request.body : await (request.arrayBuffer?.() ?? request.text?.())
  if (raw === undefined) {
    throw new ReportError(
      'body-unreadable',
      'Give the raw body of the report, text or bytes, before any parser.',
    )
  }
  return typeof raw === 'string' ? new TextEncoder().encode(raw) : new Uint8Array(raw)
}

/** Tells whether a body is text or bytes, of this realm or another. */
function isRaw(body: unknown): body is string | Uint8Array | ArrayBuffer {
  return /^\[object (String|Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(body))
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

function fromHex(text: string): Bytes | null {
  return /^([0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : null
}
