import * as v from 'valibot'
import { PaymentJob } from '../contract/payment-job.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bodySignature, webhookHeaders } from '../platform/crypto/signing.ts'

/** A report as a shop stored it. `body` should be the text that came in, but may be what a parser made of it. */
export const StoredReport = v.object({
  headers: v.record(v.string(), v.union([v.string(), v.array(v.string())])),
  body: v.unknown(),
  /** When it came in. */
  received: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
})
export type StoredReport = v.InferOutput<typeof StoredReport>

const SIGNATURES = ['webhook-signature', 'x-signature'] as const
type Signature = (typeof SIGNATURES)[number]

/** Why a receiver refuses a report. */
export type ReportMistake =
  | 'signature-missing'
  | 'time-missing'
  | 'id-or-time-changed'
  | 'too-old'
  | 'from-the-future'
  | 'body-padded'
  | 'body-parsed'
  | 'body-rewritten'
  | 'body-misread'
  | 'body-encoded'
  | 'body-reordered'
  | 'body-changed'
  | 'secret-other'
  | 'secret-or-body'

/** The result of a check. `signed`: when the hub signed the report, as its headers say. */
type ReportCheck = {
  fault: ReportMistake | null
  signatures: readonly { name: Signature; is: 'right' | 'wrong' | 'missing' }[]
  signed: string | null
}

/** Checks the signatures of a report, and finds out why none is right. */
export async function checkReport(stored: StoredReport, secret: string, now: Date): Promise<ReportCheck> {
  const header = headersOf(stored.headers)
  const right = typeof stored.body === 'string' ? await rightFor(stored.body, header, secret) : []
  const seconds = Number(header('webhook-timestamp'))
  const signed = seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : null
  const fault = right.includes('webhook-signature')
    ? timeFault(seconds * 1000, stored.received, now)
    : right.includes('x-signature')
      ? isTimed(header)
        ? 'id-or-time-changed'
        : 'time-missing'
      : await whyNoneFits(stored.body, header, secret)
  const signatures = SIGNATURES.map((name) => {
    const is = right.includes(name) ? 'right' : header(name) === '' ? 'missing' : 'wrong'
    return { name, is } as const
  })
  return { fault, signatures, signed: signed?.toISOString() ?? null }
}

/** Returns a header, or an empty text without one. */
type Header = (name: string) => string

/** Also finds a header under the name that CGI gives it (RFC 3875, section 4.1.18), as PHP and Ruby do. */
function headersOf(headers: StoredReport['headers']): Header {
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [
      name
        .toLowerCase()
        .replace(/^http_/, '')
        .replaceAll('_', '-'),
      [value].flat().join(' '),
    ]),
  )
  return (name) => byName.get(name)?.trim() ?? ''
}

function isTimed(header: Header): boolean {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].every((name) => header(name) !== '')
}

/** Names the signatures that are right for a body. No stranger can time it: whoever runs it has the secret. */
async function rightFor(body: string, header: Header, secret: string): Promise<Signature[]> {
  const time = header('webhook-timestamp')
  const made: Record<string, string> = {
    ...(/^[1-9]\d*$/.test(time) &&
      (await webhookHeaders([secret], header('webhook-id'), Number(time), body))),
    'x-signature': await bodySignature(secret, body),
  }
  return SIGNATURES.filter((name) =>
    header(name)
      .split(' ')
      .includes(made[name] ?? ''),
  )
}

/** How far apart (ms) signing and receiving may be, as Standard Webhooks recommends. */
const TOLERANCE = 5 * MINUTE

/** A stored report is old, so without the time at which it came in only a time ahead of this clock is a fault. */
function timeFault(signed: number, received: string | undefined, now: Date): ReportMistake | null {
  const age = (received === undefined ? now : new Date(received)).getTime() - signed
  if (age < -TOLERANCE) return 'from-the-future'
  return received !== undefined && age > TOLERANCE ? 'too-old' : null
}

async function whyNoneFits(body: unknown, header: Header, secret: string): Promise<ReportMistake> {
  if (SIGNATURES.every((name) => header(name) === '')) return 'signature-missing'
  for (const [fault, sent] of sentBefore(body)) {
    if ((await rightFor(sent, header, secret)).length > 0) return fault
  }
  // The hub signs the head of the trace with the same secret, but without the body.
  const [, steps, sha256, signature] =
    /^steps=(\d+), sha256=(\w+), signature=(\w+)$/.exec(header('x-trace-head')) ?? []
  const [, job] = /^msg_(.+)_\d+$/.exec(header('webhook-id')) ?? []
  if (signature === undefined || job === undefined) return 'secret-or-body'
  const expected = await bodySignature(secret, `${job},${steps},${sha256}`)
  return signature === expected ? 'body-changed' : 'secret-other'
}

type Sent = readonly [ReportMistake, string]

/**
 * Undoes common mistakes with a body: one text may be the one that the hub sent. It writes JSON as
 * `JSON.stringify` does.
 */
function sentBefore(body: unknown): Sent[] {
  const parsed = typeof body === 'string' ? parsedOf(body) : body
  const bytes = bytesOf(parsed)
  const written: Sent[] = [
    [typeof body === 'string' ? 'body-rewritten' : 'body-parsed', JSON.stringify(parsed)],
    ['body-reordered', JSON.stringify(inOrder(parsed, PaymentJob))],
    ...(bytes === null ? [] : [['body-encoded', bytes.toString()] as const]),
  ]
  if (typeof body !== 'string') return written
  return [
    ['body-padded', body.trim()],
    ['body-misread', Buffer.from(body, 'latin1').toString()],
    ['body-encoded', Buffer.from(body, 'base64').toString()],
    ['body-encoded', Buffer.from(body.replaceAll(/^<Buffer|^\\x|[\s>]/g, ''), 'hex').toString()],
    ...(typeof parsed === 'string' && parsed !== body
      ? [['body-rewritten', parsed] as const, ...sentBefore(parsed)]
      : []),
    ...written,
  ]
}

function parsedOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const Byte = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))
const Bytes = v.array(Byte)
const Logged = v.union([v.object({ data: Bytes }), v.record(v.pipe(v.string(), v.digits()), Byte)])

/** Reads bytes as JSON shows them: a Buffer of Node, a typed array, or a list. */
function bytesOf(parsed: unknown): Buffer | null {
  if (v.is(Bytes, parsed)) return Buffer.from(parsed)
  const read = v.safeParse(Logged, parsed)
  if (!read.success) return null
  return Buffer.from(
    v.is(Bytes, read.output['data']) ? read.output['data'] : Object.values(read.output).map(Number),
  )
}

/** A schema of Valibot, as far as the order of its members is in it. */
type Ordered = {
  type: string
  entries?: Readonly<Record<string, Ordered>>
  item?: Ordered
  wrapped?: Ordered
}

/**
 * Puts the members of a job, which a database may have sorted, into the order of the contract; the hub sends
 * them so.
 */
function inOrder(value: unknown, schema: Ordered | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => inOrder(one, schema?.item))
  if (typeof value !== 'object' || value === null) return value
  const { entries = {} } = schema?.wrapped ?? schema ?? {}
  const places = new Map(Object.keys(entries).map((name, place) => [name, place]))
  const place = (name: string) => places.get(name) ?? Infinity
  const members = Object.entries(value)
    .map(([name, member]): [string, unknown] => [name, inOrder(member, entries[name])])
    .toSorted(([one], [other]) => (place(one) < place(other) ? -1 : Number(place(one) > place(other))))
  return Object.fromEntries(members)
}
