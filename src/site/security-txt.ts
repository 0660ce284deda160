import { ok, refuse } from '../contract/result.ts'
import { DAY, isoTime } from '../contract/timestamp.ts'
import type { Handler } from '../platform/http/routes.ts'

/** How long (ms) a reader may rely on the file. It is made for each request, so it never expires on a hub that runs. */
const VALID = 180 * DAY

/**
 * Serves `security.txt` (RFC 9116): the addresses of `SECURITY_CONTACT` for reports of weaknesses, and an
 * email address also without `mailto:`. Without a valid one it is a 404, because a file must have a contact.
 */
export const securityText: Handler = (request, { env }) => {
  const given = (env.SECURITY_CONTACT ?? '').split(/\s+/)
  const contacts = given
    .map((contact) => (/^[^\s:@]+@[^\s:@]+$/.test(contact) ? `mailto:${contact}` : contact))
    .filter((contact) => /^(mailto:|tel:|https:\/\/)[\x21-\x7e]+$/.test(contact))
  if (contacts.length === 0)
    return refuse({ code: 'address-unknown', detail: 'The operator of this hub has named no contact.' })
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${isoTime(Date.now() + VALID)}`,
    `Canonical: ${new URL(request.url).origin}/.well-known/security.txt`,
  ]
  return ok(
    new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
  )
}
