import { sha256 } from './hash.ts'
import { bodySignature } from './signing.ts'

/**
 * `X-Trace-Head`: what a job's trace hashes to, signed. Each line is hashed behind the head of those before it: so whoever keeps a head
 * can tell whether a later trace still begins with what it was told. docs/pos/webhooks.md has the form.
 */
export async function traceHead(secret: string, id: string, lines: readonly string[]): Promise<string> {
  let head = ''
  for (const line of lines) head = await sha256(`${head}\n${line}`)
  const { length: steps } = lines
  return `steps=${steps}, sha256=${head}, signature=${await bodySignature(secret, `${id},${steps},${head}`)}`
}
