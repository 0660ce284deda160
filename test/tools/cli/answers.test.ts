import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commandNames } from '../../../src/tools/program.ts'
import { listenAnywhere } from '../../../src/tools/local/free-port.ts'
import { HUB } from '../../../src/tools/cli/commands.ts'
import { bodies, hubDouble } from './hub-double.ts'
import {
  ALERTS,
  FAILING,
  HEALTH,
  SETTINGS,
  REFUND,
  ACCOUNT,
  AUDIT,
  FIGURES,
  JOB,
  JOURNAL,
  LISTED,
  ME,
  MONTH,
  OPERATOR_TOKEN,
  POINTS,
  POS,
  RETENTION,
  ROTATED,
  ROUTES,
  SEALED,
  UNDELIVERED,
  WHY,
} from './sample-answers.ts'
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
  [['pos', 'list'], POINTS],
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
  [
    ['psp', 'check', 'a'],
    {
      id: 'a',
      result: 'working',
      message: null,
      notifications: { state: 'none', last: null },
    },
  ],
  [['psp', 'remove', 'a', '--force'], { id: 'a', removed: true }],
  [['keys', 'rotate'], ROTATED],
  [['keys', 'status'], { ...SEALED, oldCopies: ['pos:p', 'pos:q'], copies: 4 }],
  [['job', 'list', '--order', '-1', '--limit=3'], { jobs: [LISTED], next: 'place' }],
  [['job', 'find', 'A 1'], { jobs: [LISTED], next: null }],
  [['stats', '--from', '2026-01-31', '--by', 'psp'], FIGURES],
  [['job', 'show', 'j'], JOB],
  [['job', 'why', 'j'], WHY],
  [['job', 'pull', 'j'], JOB],
  [['job', 'announce', 'j'], { announced: 1, waiting: 0 }],
  [['job', 'announce', '--account', 'a'], { announced: 3, waiting: 0 }],
  [['job', 'cancel', 'j'], JOB],
  [['job', 'refund', 'j', '--amount', '5.00'], REFUND],
  [['job', 'erase', 'p1'], { jobs: [{ paymentJob: JOB.paymentJob, erased: true }] }],
  [
    ['job', 'export-person', 'p1'],
    { order: 'p1', jobs: [{ job: JOB, ipAddress: '203.0.113.7', journal: JOURNAL.entries }] },
  ],
  [['report', 'list', '--from', '2026-01-31', '--to', '2026-01-31', '--utc'], [UNDELIVERED]],
  [['report', 'list', '--failing'], FAILING],
  [['report', 'resend', 'j'], { resent: 1 }],
  [['status'], HEALTH],
  [['alert', 'list'], ALERTS],
  [['alert', 'test'], { delivered: true, outcome: '200' }],
  [['alert', 'secret'], { signingSecret: 'secret' }],
  [['settings', 'show'], SETTINGS],
  [['audit', 'list', '--subject', 'p', '--from', '2026-01-31'], AUDIT],
  [['audit', 'verify'], { entries: 3, unfinished: [3], wrong: null, head: { number: 3, hash: 'c' } }],
  [
    ['index', 'verify', '--from', '2026-01-31'],
    { jobs: 2, wrong: ['x'], wrongHours: ['2026-01-31T10:00:00.000Z'] },
  ],
  [['index', 'rebuild'], { jobs: 6, wrong: [], wrongHours: [] }],
  [['retention', 'show'], RETENTION],
  [['books', 'fetch', 'a'], { account: 'a', payouts: 1, lines: 3 }],
  [['books', 'show', '2026-01'], MONTH],
  [['books', 'open', '--days', '14'], { jobs: [], more: false }],
  [['books', 'why', 'po_1'], { payout: MONTH.payouts[0], lines: [] }],
  [['books', 'close', '2026-01', '--note', 'Known'], MONTH],
  [['token', 'create', '--name', 'Desk', '--role', 'viewer'], { ...OPERATOR_TOKEN, token: 'hub_op_x' }],
  [['token', 'list'], [OPERATOR_TOKEN]],
  [['token', 'revoke', 'Desk'], OPERATOR_TOKEN],
  [['whoami'], ME],
]

/**
 * The double's index is wrong, a copy is under an older key, and a shop's reports fail, which end
 * these with 1.
 */
function codeOf(words: readonly string[]): number {
  return /^(index verify|keys status|status)/.test(words.join(' ')) ? 1 : 0
}

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
  it('has its JSON tried here, but for the commands that read credentials, and those that go on or stream (here below, test/e2e, job-export.test.ts)', () => {
    const tried = new Set(PRINTED.flatMap(([words]) => [words[0], words.slice(0, 2).join(' ')]))
    expect(commandNames(HUB).filter((name) => !tried.has(name))).toEqual([
      'psp add',
      'psp webhook',
      'psp rekey',
      'job export',
      'job export-movements',
      'job journal',
      'job watch',
      'audit export',
      'backup',
      'restore',
      'books import',
      'books export',
      'login',
      'logout',
      'profiles',
      'listen',
      'trigger',
      'certify',
      'completion',
    ])
  })

  it('prints the journal of a job fact by fact, and with --json an entry a line', async () => {
    const { out } = await runHub(['job', 'journal', 'j', '--utc'])
    expect(out.join('\n')).toMatch(
      /1 +2026-01-31 10:00:00Z +created +pos p, order {"amount":1250}\n +attempted +account a\n2 /,
    )
    expect(out.join('\n')).toContain(JOURNAL.entries[1]?.hash)
    const asJson = await runHub(['job', 'journal', 'j', '--json'])
    expect(asJson.out.map((line): unknown => JSON.parse(line))).toEqual(JOURNAL.entries)
  })

  it('asks how a job stood at a time that the operator writes as they like', async () => {
    const { code, out } = await runHub(['job', 'show', 'j', '--at', '2026-01-31 10:00', '--utc', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ status: 'EXPIRED' })
  })

  it('lists a change once, with what was before and after, and one without an end as such', async () => {
    const { out } = await runHub(['audit', 'list', '--subject', 'p', '--from', '2026-01-31', '--utc'])
    expect(out.slice(2)).toEqual([
      expect.stringMatching(/^3 .* anna .*pos\.update .* cut off or not recorded +name Shop 2$/),
      expect.stringMatching(/^2 .* anna .*pos\.update .* done +name Shop 1 → name Shop 2$/),
      '',
      'There are more: the same again with --after 1',
    ])
  })

  it('ends with 1 and names the first wrong entry of the audit log', async () => {
    const { code, out } = await runHub(['audit', 'verify', '--after', '9'])
    expect([code, out[0]]).toEqual([1, expect.stringContaining('Entry 10 is missing.')])
  })

  it('says where the audit log has no entries to check, and tells no last one', async () => {
    expect((await runHub(['audit', 'verify', '--after', '3'])).out).toEqual([
      'There are no entries to check.',
    ])
  })

  it('looks on until there is a job to show, and says where to go on from there', async () => {
    const { out } = await runHub(['job', 'list', '--amount', '9.95', '--utc'])
    expect(out.slice(2)).toEqual([
      expect.stringContaining('2026-01-31 10:00:00Z  j '),
      '',
      'There may be more: the same again with --after third',
    ])
  })

  it('shows what went back of a payment beside what was paid', async () => {
    const { out } = await runHub(['job', 'find', 'A 1'])
    expect(out[0]).toMatch(/ amount +paid +refunded +charged back /)
    expect(out[2]).toMatch(/ EUR 12\.50 +12\.50 +2\.50 +1\.00 /)
  })

  it('sends what was typed as it was typed', async () => {
    bodies.length = 0
    await runHub(['pos', 'create', '--name=-live', '--sign-return'])
    await runHub(['pos', 'update', 'p', '--sign-return=on'])
    await runHub(['pos', 'update', 'p', '--name=-live', '--sign-return', 'off'])
    await runHub(['pos', 'route', 'p', '007', '--', 'a', '-b', '--json'])
    await runHub(['pos', 'route', 'p', '*', '--remove'])
    await runHub(['pos', 'resecret', 'p', '--overlap', '1.5', '--again'])
    expect(bodies).toEqual([
      { name: '-live', mode: 'test', signReturn: true, dialect: 'v2' },
      { signReturn: true },
      { name: '-live', signReturn: false },
      { paymentMethod: '007', accounts: ['a', '-b', '--json'] },
      { paymentMethod: '*', accounts: [] },
      { overlapHours: 1.5, again: true },
    ])
  })

  it.each([
    [['psp', 'check', 'b'], 'answered 404: none'],
    [['psp', 'check', '.'], 'answered 404: none'],
  ])('%j ends with 2 and one line, and with --json with the problem as one value', async (words, message) => {
    const { code, out, err } = await runHub(words)
    expect([code, out, err.length]).toEqual([2, [], 1])
    expect(err[0]).toContain(message)

    const asJson = await runHub([...words, '--json'])
    expect([asJson.code, asJson.err]).toEqual([2, err])
    expect(asJson.out.map((text): unknown => JSON.parse(text))).toEqual([
      { error: err[0], problem: { title: '', status: 404, detail: 'none', error: 'none', field: '' } },
    ])
  })

  it.each([
    [['job', 'show', 'none'], 'There is no payment job of order none.'],
    [['job', 'why', 'two'], 'Several payment jobs are of order two: see job list --order two'],
    [['job', 'watch', 'none'], 'There is no payment job of order none.'],
    [['report', 'resend', 'two'], 'Several payment jobs are of order two: see job list --order two'],
    [['job', 'pull', 'none'], 'There is no payment job of order none.'],
    [['job', 'cancel', 'two'], 'Several payment jobs are of order two: see job list --order two'],
    [['job', 'refund', 'none', '--all'], 'There is no payment job of order none.'],
    [['pos', 'rekey', 'shop 2'], 'Did you mean Shop 1?'],
    [['job', 'list', '--account', 'shöp'], 'There is no account "shöp".'],
    [['token', 'revoke', 'desc'], 'Did you mean Desk?'],
    [['audit', 'list', '--by', 'ana'], 'Nobody has changed anything as "ana". Did you mean anna?'],
    [['audit', 'list', '--subject', 'shop 2'], 'Did you mean Shop 1?'],
  ])(
    '%j ends with 2 where a word does not name one thing, and with --json tells it so too',
    async (words, message) => {
      const { code, out, err } = await runHub(words)
      expect([code, out, err.length]).toEqual([2, [], 1])
      expect(err[0]).toContain(message)
      const asJson = await runHub([...words, '--json'])
      expect(asJson.out.map((text): unknown => JSON.parse(text))).toEqual([{ error: err[0] }])
    },
  )
})
