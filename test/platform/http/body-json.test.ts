import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../../src/contract/result.ts'
import { type Reviver, readJsonObject } from '../../../src/platform/http/body.ts'

function json(body: BodyInit, type = 'application/json', reviver?: Reviver) {
  return readJsonObject(
    new Request('https://hub.nl/v2/paymentjobs', { method: 'POST', body, headers: { 'content-type': type } }),
    reviver,
  )
}

describe('a JSON object is read', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['Application/JSON; Charset="utf-8"'],
    ['application/json; charset=utf8'],
    ['application/json; boundary=x'],
    [' application/json ;charset=utf-8'],
  ])('as %j', async (type) => {
    expect(await json('{"a":1}', type)).toEqual(ok({ a: 1 }))
  })

  it.each([
    ['text/plain'],
    ['text/json'],
    ['application/problem+json'],
    ['application/jsonp'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-16'],
    ['multipart/form-data; application/json'],
    [''],
  ])('but not as %j', async (type) => {
    expect(await json('{"a":1}', type)).toEqual(
      refuse({ code: 'content-type-unsupported', expected: 'application/json' }),
    )
  })

  it('but not without a Content-Type', async () => {
    const body = new TextEncoder().encode('{"a":1}')
    const untyped = new Request('https://hub.nl/v2/paymentjobs', { method: 'POST', body })
    expect(await readJsonObject(untyped)).toMatchObject(refuse({ code: 'content-type-unsupported' }))
  })

  it('with its members as they are, even one that looks like a refusal', async () => {
    expect(await json('{"refused":"not-found"}')).toEqual(ok({ refused: 'not-found' }))
    const own = await json('{"__proto__":{"admin":true}}')
    expect(own.ok && Object.keys(own.value)).toEqual(['__proto__'])
    expect(own.ok && own.value['admin']).toBeUndefined()
  })

  it('with a byte order mark in front (RFC 8259, section 8.1)', async () => {
    expect(await json('\ufeff{"a":1}')).toEqual(ok({ a: 1 }))
  })

  it.each(['[]', '[{"a":1}]', '"text"', '1', 'true', 'null'])('but not from %s', async (body) => {
    expect(await json(body)).toEqual(
      refuse({ code: 'body-malformed', detail: 'The body must be a JSON object.', field: 'body' }),
    )
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":1} {}',
    '<a/>',
    'a=1',
  ])('but not from %j', async (body) => {
    expect(await json(body)).toEqual(
      refuse({ code: 'body-malformed', detail: 'The body is not valid JSON.', field: 'body' }),
    )
  })

  it('and refused like any other when its nesting is too deep for a reviver', async () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect(await json(deep, undefined, (_, value) => value)).toMatchObject(
      refuse({ code: 'body-malformed', field: 'body' }),
    )
  })
})
