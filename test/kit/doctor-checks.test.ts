import { describe, expect, it } from 'vitest'
import type { AnswerFrame } from '../../src/contract/report-frames.ts'
import { type TimedAnswer, type Facts, CHECKS } from '../../src/kit/doctor-checks.ts'
import { VERSION } from '../../src/platform/version.ts'

const NOW = Date.parse('2026-09-22T14:13:20Z')

function answer(status: number, body: object, headers: Record<string, string> = {}): TimedAnswer {
  return { status, headers: new Headers(headers), text: JSON.stringify(body), asked: NOW, came: NOW + 500 }
}
function problem(status: number, code: string, headers = {}): TimedAnswer {
  return answer(status, { status, code, detail: 'Because.' }, headers)
}
function home(version = VERSION, at = NOW): TimedAnswer {
  return answer(200, { version }, { date: new Date(at).toUTCString() })
}

const WELL: Facts = {
  node: '24.21.0',
  hub: 'https://hub.example.com',
  key: { value: 'key' },
  secret: { value: 'secret' },
  home: home(),
  listening: problem(426, 'upgrade-required'),
  inV1: problem(404, 'address-unknown', { 'x-signature': '5b0c' }),
  signature: '5b0c',
  receiver: { url: 'http://localhost:3000/report', answer: { type: 'answer', delivery: '', status: 204 } },
}

function results(changes: Partial<Facts> = {}): Record<string, string> {
  const found = Object.entries(CHECKS).map(([name, judge]) => [name, judge({ ...WELL, ...changes })] as const)
  return Object.fromEntries(found.flatMap(([name, { result }]) => (result === 'ok' ? [] : [[name, result]])))
}

function receiverThat(got: AnswerFrame): Pick<Facts, 'receiver'> {
  return { receiver: { url: WELL.receiver.url, answer: got } }
}

describe('the doctor', () => {
  it('finds nothing wrong where all is right, also with a live key', () => {
    expect(results()).toEqual({})
    expect(results({ listening: problem(403, 'test-mode-only') })).toEqual({})
  })

  it.each<[string, Partial<Facts>]>([
    ['node', { node: '20.11.1' }],
    ['node', { node: '18.20.0' }],
    ['kit', { home: home('99.0.0') }],
    ['clock', { home: home(VERSION, NOW - 120_000) }],
    ['clock', { home: home(VERSION, NOW + 120_000) }],
    ['key', { key: { fault: 'Set it.' } }],
    ['key', { listening: problem(401, 'token-invalid') }],
    ['key', { listening: problem(403, 'pos-disabled') }],
    ['secret', { signature: 'other' }],
    ['receiver', receiverThat({ type: 'answer', delivery: '', status: 400 })],
    ['receiver', receiverThat({ type: 'answer', delivery: '', failed: 'no connection' })],
  ])('finds wrong: %s %#', (name, changes) => {
    expect(results(changes)).toEqual({ [name]: 'wrong' })
  })

  it('has no shop to check before there is one, but names what is wrong with one that is there', () => {
    const silent = { type: 'answer', delivery: '', failed: 'no connection' } as const
    const receiver = { ...WELL.receiver, answer: silent, isUsual: true }
    expect(results({ receiver })).toEqual({ receiver: 'not checked' })
    expect(results({ receiver: { url: 'none', answer: null } })).toEqual({ receiver: 'not checked' })
    const error = Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(CHECKS['receiver']?.({ ...WELL, receiver: { ...receiver, error } })).toMatchObject({
      result: 'wrong',
      says: expect.stringContaining('certificate'),
    })
    const homeError = new TypeError('fetch failed', { cause: error })
    expect(CHECKS['hub']?.({ ...WELL, home: null, homeError }).says).toContain('NODE_EXTRA_CA_CERTS')
  })

  it('checks only what it can', () => {
    const silent = { home: null, listening: null, inV1: null, signature: null }
    const unknown = { kit: 'not checked', clock: 'not checked', key: 'not checked', secret: 'not checked' }
    expect(results(silent)).toEqual({ hub: 'wrong', ...unknown })
    const secret = { secret: { fault: 'Set it.' }, signature: null }
    expect(results({ ...secret, receiver: { ...WELL.receiver, answer: null } })).toEqual({
      secret: 'wrong',
      receiver: 'not checked',
    })
  })

  it('says which dialect the point of sale speaks', () => {
    expect(CHECKS['key']?.(WELL).says).toMatch(/v2/)
    expect(CHECKS['key']?.({ ...WELL, inV1: problem(404, 'job-not-found') }).says).toMatch(/v1/)
  })
})
