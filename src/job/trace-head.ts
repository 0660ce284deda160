import { sha256 } from '../platform/crypto/hash.ts'
import { bodySignature } from '../platform/crypto/signing.ts'

/**
 * Makes `X-Trace-Head`: the hash of a job's trace, signed. Each line is hashed together with the
 * head of the lines before it, so a client that keeps a head can check that a later trace still
 * begins with the same lines. docs/pos/webhooks.md has the form.
 */
export async function traceHead(secret: string, id: string, lines: readonly string[]): Promise<string> {
  let head = ''
  for (const line of lines) head = await sha256(`${head}\n${line}`)
  const { length: steps } = lines
  return `steps=${steps}, sha256=${head}, signature=${await bodySignature(secret, `${id},${steps},${head}`)}`
}
