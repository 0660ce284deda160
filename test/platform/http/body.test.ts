// Needs the streams of the Workers' runtime.
import 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../src/platform/crypto/hash.ts'
import { ok, refuse } from '../../../src/contract/result.ts'
import { BODY_LIMIT, readText } from '../../../src/platform/http/body.ts'
import { inPieces } from '../../support/shops/events.ts'

function request(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request('https://hub.nl/v2/paymentjobs', { method: 'POST', body, headers })
}

const UNREADABLE = refuse({
  code: 'body-malformed',
  detail: 'The body could not be read as UTF-8 text.',
  field: 'body',
})

describe('a body is read', () => {
  it.each([
    ['nothing', null, ''],
    ['an empty text', '', ''],
    ['text of any script', 'é € 👍', 'é € 👍'],
    [
      'characters cut in two by the pieces',
      inPieces(...Array.from(utf8('é € 👍'), (byte) => Uint8Array.of(byte))),
      'é € 👍',
    ],
    ['a byte order mark, which is not part of the text', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), '{}'],
    ['as much as may be', 'x'.repeat(BODY_LIMIT), 'x'.repeat(BODY_LIMIT)],
  ])('with %s', async (_, body, text) => {
    expect(await readText(request(body))).toEqual(ok(text))
  })

  it.each([
    ['a byte that UTF-8 does not have', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['a character that is cut off', utf8('é').slice(0, 1)],
    ['an overlong form', Uint8Array.of(0xc0, 0xaf)],
    ['a surrogate', Uint8Array.of(0xed, 0xa0, 0x80)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0x00)],
  ])('but not with %s', async (_, body) => {
    expect(await readText(request(body))).toEqual(UNREADABLE)
  })

  it('but not when it breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('connection lost'))
      },
    })
    expect(await readText(request(broken))).toEqual(UNREADABLE)
  })
})

describe('a body that is too large is refused', () => {
  const TOO_LARGE = refuse({ code: 'body-too-large', limit: BODY_LIMIT })

  it('by its Content-Length, before it is read', async () => {
    const large = request('{}', { 'content-length': String(BODY_LIMIT + 1) })
    expect(await readText(large)).toEqual(TOO_LARGE)
    expect(large.bodyUsed).toBe(false)
  })

  it('at one byte too many, counting bytes, not characters', async () => {
    const full = utf8('é'.repeat(BODY_LIMIT / 2))
    expect(await readText(request('x'.repeat(BODY_LIMIT + 1)))).toEqual(TOO_LARGE)
    expect(await readText(request(inPieces(full, utf8('x'))))).toEqual(TOO_LARGE)
    expect(await readText(request(inPieces(full)))).toEqual(ok('é'.repeat(BODY_LIMIT / 2)))
  })

  it('as soon as it passes the limit, when it has no Content-Length and no end', async () => {
    let sent = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024
        controller.enqueue(new Uint8Array(1024).fill(0x20))
      },
      cancel() {
        cancelled = true
      },
    })
    expect(await readText(request(endless))).toEqual(TOO_LARGE)
    expect(sent).toBeLessThan(2 * BODY_LIMIT)
    expect(cancelled).toBe(true)
  })

  it('even if its Content-Length says that it is small', async () => {
    const lying = request(inPieces(utf8('x'.repeat(BODY_LIMIT)), utf8('x')), { 'content-length': '2' })
    expect(await readText(lying)).toEqual(TOO_LARGE)
  })

  it('by its own limit, if it has another', async () => {
    expect(await readText(request('12345'), 4)).toEqual(refuse({ code: 'body-too-large', limit: 4 }))
    expect(await readText(request('1234'), 4)).toEqual(ok('1234'))
  })
})
