/** Hex HMAC-SHA512 as a client computes it, independent of the hub's own code. */
export async function hmacSha512(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-512' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
