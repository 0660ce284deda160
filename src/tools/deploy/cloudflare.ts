import * as v from 'valibot'
import { reasonOf } from './reason.ts'

/** How Cloudflare's API is asked: where it is, and who asks. */
export type Access = { base: string; headers: Readonly<Record<string, string>> }

const Envelope = v.object({
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ code: v.number(), message: v.string() })), []),
})

/** What the API did not give, in words that say what can be done. */
export class CloudflareError extends Error {}

/** The result of a GET, or null where there is no such thing. Throws a `CloudflareError` for any other answer. */
export async function askCloudflare(access: Access, path: string): Promise<unknown> {
  const response = await reach(access, path)
  const { output: body, success } = v.safeParse(Envelope, await response.json().catch(() => null))
  if (response.ok && success) return body.result
  if (response.status === 404) return null
  const said = success
    ? body.errors.map(({ message, code }) => `${message.replace(/\.$/, '')} (${code})`).join('; ')
    : ''
  throw new CloudflareError(
    response.status === 401 || response.status === 403 || /authenticat/i.test(said)
      ? `Cloudflare refused the login: ${said || response.status}. Run \`npx wrangler login\` again. If you use CLOUDFLARE_API_TOKEN: the token ` +
          'needs the permissions Workers Scripts, Workers KV Storage, D1 and Queues, all to edit, for this account.'
      : `Cloudflare's API answered ${response.status} to ${path}: ${said || 'no reason given'}. Try again in a minute; see https://www.cloudflarestatus.com.`,
  )
}

async function reach({ base, headers }: Access, path: string): Promise<Response> {
  try {
    return await fetch(base + path, { headers, signal: AbortSignal.timeout(30_000) })
  } catch (error) {
    const reason = reasonOf(error)
    throw new CloudflareError(
      `Cloudflare's API at ${new URL(base).host} cannot be reached: ${reason}. See to the network, and deploy again.`,
    )
  }
}
