import { fromBase64 } from '../../platform/crypto/hash.ts'

/** An element of DER: where its content begins and ends, and where it began itself. */
type Element = { from: number; start: number; end: number; tag: number }

/** Reads the element at a place. Throws for a length that does not fit. https://www.itu.int/rec/T-REC-X.690 */
function elementAt(der: Uint8Array, from: number): Element {
  const [tag = 0, first = 0] = der.subarray(from, from + 2)
  const count = first & 0x80 ? first & 0x7f : 0
  const length =
    count === 0 ? first : der.subarray(from + 2, from + 2 + count).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = from + 2 + count
  if (count > 4 || start + length > der.length) throw new RangeError('the certificate is cut off')
  return { from, start, end: start + length, tag }
}

/** The place of the key in a certificate's list, after the version, if that is there. */
const KEY = 5
const VERSION_TAG = 0xa0

/**
 * Returns the public key of the first certificate in a PEM file (`SubjectPublicKeyInfo`). Throws for anything else. Who
 * may have signed it does not matter here: it came from PayPal's own server.
 * https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 */
export function publicKeyIn(pem: string): Uint8Array<ArrayBuffer> {
  const [, text = ''] = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(pem) ?? []
  const der = fromBase64(text.replace(/\s/g, ''))
  const content = elementAt(der, elementAt(der, 0).start)
  let one = elementAt(der, content.start)
  const last = one.tag === VERSION_TAG ? KEY + 1 : KEY
  for (let place = 0; place < last; place++) one = elementAt(der, one.end)
  return der.slice(one.from, one.end)
}

/** CRC-32 as of zip files and Ethernet: https://www.rfc-editor.org/rfc/rfc1952#section-8 */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}
