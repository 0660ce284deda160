import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import * as v from 'valibot'
import { hubCommand } from '../programs/hub-command.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { SECRET_FLAG, signingSecretOf } from './signing-secret.ts'
import { type ReportMistake, StoredReport, checkReport } from './stored-report.ts'

export const verify = hubCommand({
  does: 'check a stored report against the signing secret, and say what is wrong with it',
  example: 'report.json',
  args: {
    report: {
      type: 'positional',
      description: 'a file with { "headers": { … }, "body": "…" }; standard input if not given',
    },
    ...SECRET_FLAG,
  },
  run: async ({ report, secret }) => {
    if (report === undefined && (secret === '-' || process.stdin.isTTY)) {
      throw new UsageError('Name a file with the report, or pass it by standard input.')
    }
    const stored = readStored(
      textOf(report === undefined ? await buffer(process.stdin) : await contentOf(report)),
    )
    return checkReport(stored, await signingSecretOf(secret), new Date())
  },
  show: ({ fault, signatures, signed }, view) => [
    signatures.map(({ name, is }) => `${name.padEnd(17)}  ${is}`),
    signed && `signed at ${view.time(signed)}`,
    '',
    fault === null ? "The report is the hub's, and signed with this secret." : SENTENCES[fault],
  ],
  succeeds: ({ fault }) => fault === null,
})

async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new UsageError(`The file ${quoted(file)} cannot be read.`)
  })
}

/**
 * Returns a text of UTF-8 without its byte order mark. Throws a UsageError for UTF-16, which has zero bytes
 * in JSON.
 */
function textOf(bytes: Buffer): string {
  if (!bytes.includes(0)) return bytes.toString().replace(/^\uFEFF/, '')
  throw new UsageError('The report is in UTF-16, as Windows PowerShell writes files: save it as UTF-8.')
}

const Text = v.pipe(v.string(), v.parseJson(), StoredReport)

function readStored(json: string): StoredReport {
  const read = v.safeParse(Text, json)
  if (read.success) return read.output
  const [issue] = read.issues
  const member = v.getDotPath(issue)
  throw new UsageError(
    `The report must be JSON: { "headers": { … }, "body": "…" }. ${member === null ? '' : `${quoted(member)}: `}${issue.message}`,
  )
}

const SENTENCES: Readonly<Record<ReportMistake, string>> = {
  'signature-missing':
    'The headers have no signature, neither webhook-signature nor X-Signature. Something on the way removes them, or not all were stored.',
  'time-missing':
    'X-Signature is right, but proves no time, so a receiver refuses the report. Something removes webhook-id, webhook-timestamp or webhook-signature.',
  'id-or-time-changed':
    'The secret and the body are right, but webhook-id, webhook-timestamp or webhook-signature is not as the hub sent it.',
  'too-old':
    'The report came in more than five minutes after the hub had signed it: it is a copy, or the clock of the receiver is fast.',
  'from-the-future':
    'The hub signed the report more than five minutes after it came in: the clock of the receiver is slow.',
  'body-padded':
    'The body has white space around it that the hub did not send. Verify the body as it comes in.',
  'body-parsed':
    "The body is the hub's, but a program has parsed it. Store and verify the text that comes in, before any parser.",
  'body-rewritten':
    "The body is the hub's, but a program has parsed it and written it again. Verify the text that comes in, before any parser.",
  'body-misread':
    "The body is the hub's, but was read as Latin-1. It is UTF-8: verify its bytes as they come in.",
  'body-encoded':
    "The body is the hub's, but stored as base64, hex or a list of bytes. Verify the bytes that it stands for.",
  'body-reordered':
    "The body is the hub's, but its members are in another order, as in a JSON column. Store and verify the text that comes in.",
  'body-changed': 'The secret is right, but the body does not say what the hub sent.',
  'secret-other':
    'The hub signed the report with another secret: that of another point of sale, or one before or after this.',
  'secret-or-body':
    'The hub signed the report with another secret, or it sent another body. The header X-Trace-Head would show which.',
}
