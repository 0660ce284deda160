import { describe, expect, it } from 'vitest'
import { toBase64, toHex } from '../../../src/platform/crypto/hash.ts'
import { hmac } from '../../../src/platform/crypto/signing.ts'

function key(length: number, byte: number): string {
  return toBase64(new Uint8Array(length).fill(byte))
}

/** The cases of RFC 4231 whose data is text. Their keys are bytes. */
const CASES = [
  [
    1,
    key(20, 0x0b),
    'Hi There',
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  ],
  [
    2,
    btoa('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  ],
  [
    6,
    key(131, 0xaa),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  ],
  [
    7,
    key(131, 0xaa),
    'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
  ],
] as const

describe('the HMAC', () => {
  it.each(CASES)('is that of RFC 4231, test case %i', async (_, secret, text, with256, with512) => {
    expect(toHex(await hmac('SHA-256', secret, text, 'base64'))).toBe(with256)
    expect(toHex(await hmac('SHA-512', secret, text, 'base64'))).toBe(with512)
  })

  it('uses the text of a secret as its key, unless the caller says that it is base64', async () => {
    const [, [, , text, with256, with512]] = CASES
    expect(toHex(await hmac('SHA-256', 'Jefe', text))).toBe(with256)
    expect(toHex(await hmac('SHA-512', 'Jefe', text))).toBe(with512)
    expect(toHex(await hmac('SHA-512', 'Jefe', text, 'base64'))).not.toBe(with512)
  })

  it('takes keys and texts as UTF-8', async () => {
    const composed = await hmac('SHA-256', 'é', 'ü €')
    const bytes = await hmac('SHA-256', toBase64(Uint8Array.of(0xc3, 0xa9)), 'ü €', 'base64')
    expect(toHex(composed)).toBe(toHex(bytes))
  })

  it('stays right with more secrets than remembered keys', async () => {
    const first = toHex(await hmac('SHA-256', 'secret 0', 'text'))
    const all = await Promise.all(
      Array.from({ length: 1100 }, (_, i) => hmac('SHA-256', `secret ${i}`, 'text')),
    )
    expect(new Set(all.map(toHex)).size).toBe(1100)
    expect(toHex(await hmac('SHA-256', 'secret 0', 'text'))).toBe(first)
  })

  it('refuses a secret that is not base64', async () => {
    await expect(hmac('SHA-256', 'not base64!', 'text', 'base64')).rejects.toThrow()
  })
})
