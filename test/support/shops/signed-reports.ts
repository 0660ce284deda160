import { createHmac } from 'node:crypto'
import type { ReportFault } from '../../../src/client/verify-report.ts'

const [SECRET, ANOTHER] = ['A'.repeat(64), 'B'.repeat(64)]
export const SIGNING_SECRET = SECRET
export const REPORT = JSON.stringify({ orderNumber: 'A-é', status: 'SUCCESS' })

/** A report as it comes in, and why a receiver refuses it; null if it is genuine. */
export type SignedReport = {
  name: string
  headers: Record<string, string>
  body: string
  fault: ReportFault | null
}

/** The `webhook-signature` of Standard Webhooks. `time` is signed as it stands. */
function signature(time: string, secret = SECRET): string {
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64'))
  return `v1,${hmac.update(`msg_1.${time}.${REPORT}`).digest('base64')}`
}

/** What each verifier has to take and to refuse at `now` (ms), whatever its language. */
export function signedReports(now = Date.now()): SignedReport[] {
  const at = (seconds: number) => String(Math.floor(now / 1000) + seconds)
  const [fresh, old] = [at(0), at(-400)]
  const right = signature(fresh)
  const digest = right.slice('v1,'.length)
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': fresh, 'webhook-signature': right }

  const signedAt = (time: string) => ({
    'webhook-timestamp': time,
    'webhook-signature': signature(time),
  })
  const signedBy = (text: string) => ({ 'webhook-signature': text })
  const report = (fault: ReportFault | null, name: string, changes: object, body = REPORT): SignedReport => ({
    name,
    headers: { ...headers, ...changes },
    body,
    fault,
  })
  const without = (header: keyof typeof headers): SignedReport => ({
    ...report('signature-missing', `no ${header}`, {}),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header)),
  })
  return [
    report(null, 'just signed', {}),
    report(null, 'almost five minutes old', signedAt(at(-280))),
    report(null, 'almost five minutes ahead', signedAt(at(280))),
    report(null, 'two signatures, the second right', signedBy(`${signature(fresh, ANOTHER)} ${right}`)),
    report(null, 'two signatures, the first right', signedBy(`${right} ${signature(fresh, ANOTHER)}`)),
    report(null, 'later versions of a signature', signedBy(`v1a,${digest} v2,AAAA ${right} v3,${digest}`)),

    report('too-old', 'more than five minutes old', signedAt(at(-320))),
    report('too-old', 'more than five minutes ahead', signedAt(at(320))),
    report('too-old', 'a year ahead', signedAt(at(31_536_000))),
    report('too-old', 'signed in milliseconds', signedAt(`${fresh}000`)),
    report('too-old', 'a time of 30 digits', signedAt('9'.repeat(30))),
    report('too-old', 'a time of 5000 digits', signedAt('9'.repeat(5000))),
    report('too-old', 'the time 0', signedAt('0')),

    without('webhook-id'),
    without('webhook-timestamp'),
    without('webhook-signature'),
    { ...report('signature-missing', 'no header', {}), headers: {} },
    ...[
      '',
      'now',
      `-${fresh}`,
      `+${fresh}`,
      `${fresh}.0`,
      `${fresh}s`,
      '1e9',
      '²',
      `0x${Number(fresh).toString(16)}`,
    ].map((time) => report('signature-missing', `the time "${time}"`, signedAt(time))),

    report('signature-wrong', 'another secret', signedBy(signature(fresh, ANOTHER))),
    report('signature-wrong', 'an old one with a new time', signedBy(signature(old))),
    report('signature-wrong', 'another id', { 'webhook-id': 'msg_2' }),
    report('signature-wrong', 'zeros before its time', { 'webhook-timestamp': `00${fresh}` }),
    report('signature-wrong', 'a changed body', {}, REPORT.replace('SUCCESS', 'FAILURE')),
    report('signature-wrong', 'a padded body', {}, `${REPORT} `),
    ...[
      digest,
      `v2,${digest}`,
      `v1a,${digest}`,
      `V1,${digest}`,
      `v1=${digest}`,
      `v1,${digest.slice(0, -2)}`,
      `${right},`,
      'v1,',
      'v1,***',
      'é',
    ].map((text) => report('signature-wrong', `the signature "${text}"`, signedBy(text))),
  ]
}
