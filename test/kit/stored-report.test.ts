import { describe, expect, it } from 'vitest'
import { type StoredReport, checkReport } from '../../src/kit/stored-report.ts'
import { traceHead } from '../../src/job/trace-head.ts'
import { bodySignature, webhookHeaders } from '../../src/platform/crypto/signing.ts'

const [SECRET, OTHER] = ['A'.repeat(64), 'B'.repeat(64)]
const SENT = new Date('2026-09-22T14:13:20Z')
const JOB = '5b0c1d3e-0000-4000-8000-000000000000'
const BODY = JSON.stringify({ paymentJob: JOB, orderNumber: 'Zoë/1', amountPaid: '12.50' })

/** A report signed by the hub with `secrets`. The first one makes `X-Signature`. */
async function report(changes: Partial<StoredReport> = {}, secrets = [SECRET]): Promise<StoredReport> {
  const [first = ''] = secrets
  const headers = {
    'X-Signature': await bodySignature(first, BODY),
    'x-trace-head': await traceHead(first, JOB, ['a', 'b']),
    ...(await webhookHeaders(secrets, `msg_${JOB}_2`, SENT.getTime() / 1000, BODY)),
  }
  return { headers, body: BODY, ...changes }
}

/** A report with changed headers. Undefined removes a header. */
async function withHeaders(changes: Record<string, string | undefined>): Promise<StoredReport> {
  const all = Object.entries({ ...(await report()).headers, ...changes })
  return {
    headers: Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    body: BODY,
  }
}

async function faultOf(stored: StoredReport | Promise<StoredReport>, now = SENT, secret = SECRET) {
  return (await checkReport(await stored, secret, now)).fault
}

const LATER = new Date(SENT.getTime() + 3_600_000)

describe('a stored report', () => {
  it('is right however old it is, and says when it was signed', async () => {
    expect(await checkReport(await report(), SECRET, LATER)).toEqual({
      fault: null,
      signatures: [
        { name: 'webhook-signature', is: 'right' },
        { name: 'x-signature', is: 'right' },
      ],
      signed: SENT.toISOString(),
    })
  })

  it('is right for both secrets while the secret changes', async () => {
    const stored = await report({}, [OTHER, SECRET])
    expect(await faultOf(stored)).toBe(null)
    expect(await faultOf(stored, SENT, OTHER)).toBe(null)
  })

  it('may have the names that CGI gives its headers', async () => {
    const { headers, body } = await report()
    const names = Object.entries(headers).map(([name, value]) => [
      `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
      value,
    ])
    expect(await faultOf({ headers: Object.fromEntries(names), body })).toBe(null)
  })

  it.each([
    ['white space around it', 'body-padded', `${BODY}\n`],
    ['a byte order mark', 'body-padded', `\uFEFF${BODY}`],
    ['been written again with spaces', 'body-rewritten', JSON.stringify(JSON.parse(BODY), null, 2)],
    ['been written again by PHP', 'body-rewritten', BODY.replace('/', '\\/').replace('ë', '\\u00eb')],
    ['been read as Latin-1', 'body-misread', Buffer.from(BODY).toString('latin1')],
    ['been parsed', 'body-parsed', JSON.parse(BODY) as unknown],
    ['another amount', 'body-changed', BODY.replace('12.50', '99.00')],
  ])('shows that its body has %s', async (_, fault, body) => {
    expect(await faultOf(report({ body }))).toBe(fault)
  })

  it('shows that it was signed with another secret', async () => {
    expect(await faultOf(report(), SENT, OTHER)).toBe('secret-other')
    expect(await faultOf(withHeaders({ 'x-trace-head': undefined }), SENT, OTHER)).toBe('secret-or-body')
  })

  it('shows what its headers lack', async () => {
    const none = { 'X-Signature': undefined, 'webhook-signature': undefined }
    expect(await faultOf(withHeaders(none))).toBe('signature-missing')
    expect(await faultOf(withHeaders({ 'webhook-timestamp': undefined }))).toBe('time-missing')
    expect(await faultOf(withHeaders({ 'X-Signature': undefined }))).toBe(null)
    expect(await faultOf(withHeaders({ 'webhook-id': 'msg_1' }))).toBe('id-or-time-changed')
  })

  it('shows that it came in too late, or before it was signed', async () => {
    expect(await faultOf(report({ received: '2026-09-22T14:15:00Z' }))).toBe(null)
    expect(await faultOf(report({ received: LATER.toISOString() }))).toBe('too-old')
    expect(await faultOf(report({ received: '2026-09-22T14:00:00Z' }))).toBe('from-the-future')
    expect(await faultOf(report(), new Date(SENT.getTime() - 3_600_000))).toBe('from-the-future')
  })

  it.each<[string, unknown]>([
    ['body-encoded', Buffer.from(BODY).toString('base64')],
    ['body-encoded', Buffer.from(BODY).toString('base64url')],
    ['body-encoded', JSON.stringify(Buffer.from(BODY).toString('base64'))],
    ['body-encoded', Buffer.from(BODY).toJSON()],
    ['body-encoded', JSON.stringify(Buffer.from(BODY))],
    ['body-encoded', JSON.stringify(new Uint8Array(Buffer.from(BODY)))],
    ['body-encoded', [...Buffer.from(BODY)]],
    ['body-encoded', `\\x${Buffer.from(BODY).toString('hex')}`],
    ['body-encoded', `<Buffer ${Buffer.from(BODY).toString('hex').replaceAll(/../g, '$& ').trim()}>`],
    ['body-rewritten', JSON.stringify(BODY)],
    ['body-reordered', { amountPaid: '12.50', paymentJob: JOB, orderNumber: 'Zoë/1' }],
    ['body-reordered', JSON.stringify({ amountPaid: '12.50', orderNumber: 'Zoë/1', paymentJob: JOB })],
  ])('names the form of a body that says what the hub sent: %s %#', async (fault, body) => {
    expect(await faultOf(report({ body }))).toBe(fault)
  })
})
