import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commandNames } from '../../src/cli/find-command.ts'
import { listenAnywhere } from '../../src/cli/local/free-port.ts'
import { HUB } from '../../src/cli/operator/commands.ts'
import {
  REFUND,
  ACCOUNT,
  JOB,
  LISTED,
  POS,
  RETENTION,
  ROTATED,
  ROUTES,
  SEALED,
  UNDELIVERED,
  WHY,
  bodies,
  hubDouble,
} from './hub-double.ts'
import { runHub } from './run-hub.ts'

beforeAll(async () => {
  vi.stubEnv('HUB_URL', `http://127.0.0.1:${await listenAnywhere(hubDouble)}`)
  vi.stubEnv('OPERATOR_TOKEN', 'token')
})
afterAll(() => {
  vi.unstubAllEnvs()
  hubDouble.closeAllConnections()
  hubDouble.close()
})

/** A line that is typed, and what it prints with `--json`. */
const PRINTED: readonly (readonly [words: string[], json: unknown])[] = [
  [['pos', 'create', '--name', 'Shop 1'], { ...POS, apiKey: 'key', signingSecret: 'secret' }],
  [['pos', 'list'], [POS]],
  [['pos', 'update', 'p', '--name', 'Shop 1', '--sign-return', 'off'], POS],
  [['pos', 'disable', '--', '-p'], { id: '-p', disabled: true }],
  [['pos', 'disable', '--yes', '--', '-p'], { id: '-p', disabled: true }],
  [['pos', 'enable', 'p'], { id: 'p', disabled: false }],
  [['pos', 'rekey', 'p'], { id: 'p', apiKey: 'key' }],
  [['pos', 'revoke', 'p'], { id: 'p', revoked: 1 }],
  [['pos', 'resecret', 'p'], { id: 'p', signingSecret: 'secret' }],
  [['pos', 'route', 'p', '*', 'a', 'b'], ROUTES],
  [['pos', 'routes', 'p/q'], ROUTES],
  [['psp', 'list'], [ACCOUNT]],
  [['psp', 'check', 'a'], { id: 'a', result: 'working', message: null }],
  [['psp', 'remove', 'a', '--force'], { id: 'a', removed: true }],
  [['keys', 'rotate'], ROTATED],
  [['keys', 'status'], { ...SEALED, oldCopies: ['pos:p', 'pos:q'], copies: 4 }],
  [['job', 'list', '--order', '-1', '--limit=3'], [LISTED]],
  [['job', 'show', 'j'], JOB],
  [['job', 'why', 'j'], WHY],
  [['job', 'pull', 'j'], JOB],
  [['job', 'cancel', 'j'], JOB],
  [['job', 'refund', 'j', '--amount', '5.00'], REFUND],
  [['report', 'list', '--from', '2026-01-31', '--to', '2026-02-01'], [UNDELIVERED]],
  [['report', 'resend', 'j'], { resent: 1 }],
  [['index', 'verify', '--from', '2026-01-31'], { jobs: 2, wrong: ['x'] }],
  [['index', 'rebuild'], { jobs: 6, wrong: [] }],
  [['retention', 'show'], RETENTION],
]

/** The double's index is wrong and a copy is under an older key, which end these with 1. */
const codeOf = (words: readonly string[]): number =>
  /^(index verify|keys status)/.test(words.join(' ')) ? 1 : 0

describe.each(PRINTED)('hub %j', (words, json) => {
  it('prints one JSON value with --json, and nothing else', async () => {
    const { code, out } = await runHub(['--json', ...words])
    expect(code).toBe(codeOf(words))
    expect(out).toHaveLength(1)
    expect(JSON.parse(out[0] ?? '')).toEqual(json)
  })

  it('prints text for people without it', async () => {
    const { code, out } = await runHub(words)
    expect(code).toBe(codeOf(words))
    expect(out.join('\n')).toMatch(/^[^{[]/)
  })
})

describe('hub', () => {
  it('has its JSON tried here, but for the commands that read credentials, and those that go on (test/e2e)', () => {
    const tried = new Set(PRINTED.map(([words]) => words.slice(0, 2).join(' ')))
    expect(commandNames(HUB).filter((name) => !tried.has(name))).toEqual([
      'psp add',
      'psp rekey',
      'job watch',
      'listen',
      'trigger',
    ])
  })

  it('sends what was typed as it was typed', async () => {
    bodies.length = 0
    await runHub(['pos', 'create', '--name=--live', '--sign-return'])
    await runHub(['pos', 'update', 'p', '--sign-return=on'])
    await runHub(['pos', 'update', 'p', '--name=--live', '--sign-return', 'off'])
    await runHub(['pos', 'route', 'p', '007', '--', 'a', '-b', '--json'])
    await runHub(['pos', 'route', 'p', '*', '--remove'])
    await runHub(['pos', 'resecret', 'p', '--overlap', '1.5', '--again'])
    expect(bodies).toEqual([
      { name: '--live', mode: 'test', signReturn: true },
      { signReturn: true },
      { name: '--live', signReturn: false },
      { paymentMethod: '007', accounts: ['a', '-b', '--json'] },
      { paymentMethod: '*', accounts: [] },
      { overlapHours: 1.5, again: true },
    ])
  })

  it.each([
    [['pos', 'rekey', 'nobody'], 'answered 404: none'],
    [['job', 'show', '.'], 'answered 404: none'],
    [['job', 'show', 'none'], 'There is no payment job of order none.'],
    [['job', 'why', 'two'], 'Several payment jobs are of order two: see job list --order two'],
  ])('%j ends with 1 and one line, without --json and with it', async (words, message) => {
    for (const line of [words, [...words, '--json']]) {
      const { code, out, err } = await runHub(line)
      expect([code, out, err.length]).toEqual([1, [], 1])
      expect(err[0]).toContain(message)
    }
  })
})
