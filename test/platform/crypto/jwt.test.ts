import { base64url, exportJWK, generateKeyPair } from 'jose'
import { expect, it } from 'vitest'
import { readJwt, readKeySet } from '../../../src/platform/crypto/jwt.ts'

const HEAD = base64url.encode('{"alg":"RS256","kid":"k1"}')
function tokenOf(claims: Uint8Array | string, signature = 'c2ln'): string {
  return `${HEAD}.${base64url.encode(claims)}.${signature}`
}

it('a token has 16,384 characters at most', () => {
  const short = tokenOf('{}', '')
  const signature = 'a'.repeat(16_384 - short.length)
  expect(readJwt(tokenOf('{}', signature))).toMatchObject({ keyId: 'k1', claims: {}, signature })
  expect(readJwt(tokenOf('{}', `${signature}a`))).toBeNull()
})

it('claims that are no UTF-8 are no claims: two that differ must not read the same', () => {
  const claims = new TextEncoder().encode('{"sub":"é"}')
  expect(readJwt(tokenOf(claims))).toMatchObject({ claims: { sub: 'é' } })
  expect(readJwt(tokenOf(claims.map((byte) => (byte === 0xa9 ? 0x20 : byte))))).toBeNull()
})

it('a key of a key set verifies, and can do no more', async () => {
  const { publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const key = (await readKeySet({ keys: [{ ...jwk, kid: 'k1' }] })).get('k1')
  expect(key).toMatchObject({ extractable: false, usages: ['verify'] })
})
