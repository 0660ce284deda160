import { beforeEach, describe, expect, it } from 'vitest'
import { commandNames } from '../../src/programs/program.ts'
import { HUB } from '../../src/cli/commands.ts'
import { askedHub, problem } from './asked-hub.ts'
import { sampleAnswer } from './sample-answers.ts'
import { runHub } from './run-hub.ts'

const { asked, answer } = askedHub()

const POS = '0f3a6c1de9b24875a1c3e5f708192a3b'
const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
const DAY = '2026-01-31T00%3A00%3A00.000Z'
const NEXT_DAY = '2026-02-01T00%3A00%3A00.000Z'

/** The hub's last answer, with every member that its operation can return. */
let answered: object
beforeEach(() => {
  asked.mockImplementation(async (url, init) => {
    const sample = sampleAnswer(init?.method ?? 'GET', (url as URL).pathname)
    if (!sample) return problem(404, 'none')
    answered = sample
    return Response.json(sample)
  })
})

function requests(): string[] {
  return asked.mock.calls.map(([url, init]) => {
    const { pathname, search } = url as URL
    return `${init?.method} ${pathname.replace('/operator/v1', '')}${search}`
  })
}

/**
 * A command line, its last request to the hub, and what it prints with `--json`, if that is not the whole
 * answer: the name of a member, or this object.
 */
const PRINTED: [line: string, request: string, json?: string | object][] = [
  ['pos create --name Shop', 'POST /pos'],
  ['pos list', 'GET /pos', 'pointsOfSale'],
  [`pos update ${POS} --name Shop --sign-return off`, `POST /pos/${POS}`],
  [`pos disable ${POS} --yes`, `POST /pos/${POS}/disable`],
  [`pos enable ${POS}`, `POST /pos/${POS}/enable`],
  [`pos show ${POS}`, `GET /pos/${POS}`],
  [`pos rekey ${POS} --can create,read --expires 1y`, `POST /pos/${POS}/keys`],
  [`pos revoke ${POS}`, `POST /pos/${POS}/keys/revoke`],
  [`pos resecret ${POS}`, `POST /pos/${POS}/secret`],
  [`pos pin ${POS}`, `POST /pos/${POS}/refund-pin`],
  [`pos route ${POS} * a b`, `POST /pos/${POS}/routes`],
  [`pos routes ${POS}`, `GET /pos/${POS}/routes`],
  ['psp list', 'GET /accounts', 'accounts'],
  ['psp check a/b', 'POST /accounts/a%2Fb/check'],
  ['psp currencies a any', 'POST /accounts/a/currencies'],
  ['psp remove a --force', 'POST /accounts/a/remove?force=1'],
  ['terminal list', 'GET /terminals'],
  ['terminal list a', 'GET /accounts/a/terminals'],
  ['terminal add a term_1 --name Bar', 'POST /accounts/a/terminals'],
  ['terminal check a text', 'GET /accounts/a/terminals', { id: 'text' }],
  ['terminal remove a term_1 --yes', 'POST /accounts/a/terminals/term_1/remove'],
  [`terminal assign ${POS} term_1 --default`, `POST /pos/${POS}/terminals`],
  [`pos terminals ${POS}`, `GET /pos/${POS}/terminals`],
  ['keys rotate', 'POST /sealing/rotate'],
  ['keys status', 'GET /sealing'],
  ['job list --order -1 --limit=3', 'GET /jobs?order_number=-1&limit=3'],
  ['job list --failing --mode live --month 2026-01', 'GET /jobs?mode=live&failing=1&month=2026-01'],
  ['job find A-1', 'GET /jobs?q=A-1'],
  ['stats --from 2026-01-31 --utc --by psp', `GET /figures?from=${DAY}&by=psp`],
  ['stats --month 2026-01', 'GET /figures?month=2026-01'],
  [`job show ${JOB}`, `GET /jobs/${JOB}`],
  [`job show ${JOB} --at 2026-01-31 --utc`, `GET /jobs/${JOB}?at=${DAY}`],
  [`job why ${JOB}`, `GET /jobs/${JOB}`, 'why'],
  [`job pull ${JOB}`, `POST /jobs/${JOB}/pull`],
  [`job announce ${JOB}`, `POST /jobs/${JOB}/announce`, { announced: 1, waiting: 0 }],
  ['job announce --account sandbox', 'POST /accounts/sandbox/announce'],
  [`job cancel ${JOB}`, `POST /jobs/${JOB}/cancel`],
  [`job clear-money ${JOB} --note Settled`, `POST /jobs/${JOB}/clear-money`],
  [`job capture ${JOB} --amount 5.00 --final --key a`, `POST /jobs/${JOB}/captures`],
  [`job release ${JOB} --yes`, `POST /jobs/${JOB}/release`],
  [`job refund ${JOB} --amount 5.00 --key a`, `POST /jobs/${JOB}/refunds`],
  [`job erase ${JOB}`, `POST /jobs/${JOB}/erase`],
  [`job export-person ${JOB}`, `GET /jobs/${JOB}/journal`],
  [
    'report list --from 2026-01-31 --to 2026-01-31 --utc',
    `GET /reports/undelivered?from=${DAY}&to=${NEXT_DAY}`,
  ],
  ['report list --month 2026-01', 'GET /reports/undelivered?month=2026-01'],
  ['report list --failing', 'GET /reports/failing'],
  [`report resend ${JOB}`, `POST /jobs/${JOB}/resend`, { resent: 1 }],
  ['status --check', 'GET /health?check=1'],
  ['alert list', 'GET /alerts'],
  ['alert test', 'POST /alerts/test'],
  ['alert secret', 'POST /alerts/secret'],
  ['settings show', 'GET /settings'],
  [
    'audit list --subject p --from 2026-01-31 --utc --action pos.route',
    `GET /audit?from=${DAY}&action=pos.route&subject=p`,
  ],
  ['audit verify', 'GET /audit/verify?after=0'],
  ['index verify', 'GET /index/text/verify'],
  ['index rebuild', 'POST /index/text/rebuild'],
  ['retention show', 'GET /retention'],
  ['books fetch a', 'POST /books/accounts/a/fetch', { account: 'a', payouts: 1, lines: 1 }],
  ['books show 2026-01', 'GET /books/months/2026-01'],
  ['books open --days 14', 'GET /books/open?days=14'],
  ['books why po_1', 'GET /books/payouts/po_1'],
  ['books close 2026-01 --note Known', 'POST /books/months/2026-01/close'],
  ['books reopen 2026-01 --mode test --yes', 'POST /books/months/2026-01/reopen'],
  ['books export 2026-01', 'GET /books/months/2026-01/double-entry'],
  ['token create --name Desk --role viewer', 'POST /tokens'],
  ['token list', 'GET /tokens', 'tokens'],
  ['session list', 'GET /sessions', 'sessions'],
  [`session end ${POS}`, `POST /sessions/${POS}/end`],
  ['whoami', 'GET /me'],
]

/** The sample answers of these commands report a fault. */
const WRONG = ['keys', 'job announce --account', 'status', 'audit verify', 'index']
/** These commands print more or less than the last answer. */
const OWN = ['job erase', 'job export-person', 'report list --from', 'report list --month', 'books export']

function isOf(line: string, commands: readonly string[]): boolean {
  return commands.some((command) => line.startsWith(command))
}

describe.each<(typeof PRINTED)[number]>(PRINTED)('hub %s', (line, request, json) => {
  const code = isOf(line, WRONG) ? 1 : 0

  it('asks the hub, and prints one JSON value with --json, and nothing else', async () => {
    const printed = await runHub(['--json', ...line.split(' ')])
    expect(printed).toMatchObject({ code, out: [expect.anything()] })
    expect(requests()).toContain(request)
    const value: unknown = JSON.parse(printed.out[0] ?? '')
    if (isOf(line, OWN)) return
    const { next: _, ...whole } = answered as { next?: null }
    const expected =
      typeof json === 'string' ? Object.entries(whole).find(([name]) => name === json)?.[1] : (json ?? whole)
    expect(value).toMatchObject(expected as object)
  })

  it('prints text for people without it', async () => {
    const printed = await runHub(line.split(' '))
    expect(printed.code).toBe(code)
    expect(printed.out.join('\n')).toMatch(/^[^{[]/)
    expect(printed.out.join('\n')).not.toMatch(/undefined|\[object/)
  })
})

describe('hub', () => {
  it('has its JSON tested here, unless it reads credentials, keeps running or streams: other tests cover these', () => {
    const tried = new Set(
      PRINTED.map(([line]) => line.split(' ')).flatMap(([one = '', two = '']) => [one, `${one} ${two}`]),
    )
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
      'rehearse',
      'books import',
      'token revoke',
      'login',
      'logout',
      'profiles',
      'listen',
      'trigger',
      'certify',
      'completion',
    ])
  })

  it('prints the journal of a job with --json as an entry a line', async () => {
    const entry = { version: 1, at: '2026-01-31T10:00:00.000000Z' }
    const facts = [{ is: 'created', pos: 'p', order: { amount: 1250 } }]
    const entries = [
      { ...entry, number: 1, facts, hash: 'a1' },
      { ...entry, number: 2, facts: [{ is: 'expired' }], hash: 'a2' },
    ]
    answer({ paymentJob: JOB, entries })
    const asJson = await runHub(['job', 'journal', JOB, '--json'])
    expect(asJson.out.map((line): unknown => JSON.parse(line))).toEqual(entries)
  })

  it('lists a change once, with what was before and after, and one without an end as such', async () => {
    const found = sampleAnswer('GET', '/operator/v1/audit') as { entries: [object] }
    const entry = {
      ...found.entries[0],
      by: 'anna',
      action: 'pos.update',
      before: null,
      after: { name: 'Shop 2' },
    }
    const entries = [
      { ...entry, number: 3, result: 'begun' },
      { ...entry, number: 2, result: 'done', before: { name: 'Shop 1' } },
      { ...entry, number: 1, result: 'begun' },
    ]
    answer({ entries, unfinished: [3], unreadable: [], next: '1' })
    expect((await runHub(['audit', 'list'])).out.slice(2)).toEqual([
      expect.stringMatching(/^3 .* anna .*pos\.update .* cut off or not recorded +name Shop 2$/),
      expect.stringMatching(/^2 .* anna .*pos\.update .* done +name Shop 1 → name Shop 2$/),
      '',
      'There are more: repeat the command with --after 1',
    ])
    const apart = [4, 2].map((number) => ({ ...entry, number, result: 'done' }))
    answer({ entries: apart, unfinished: [], unreadable: [], next: null })
    expect((await runHub(['audit', 'list'])).out.at(-1)).toContain('two entries')
  })

  it('checks the audit log page by page, and names its first wrong entry', async () => {
    const right = { entries: 2, unfinished: [], wrong: null, head: { number: 2, hash: 'b' } }
    answer({ ...right, next: '2' }, { ...right, unfinished: [3], next: null })
    const { code, out } = await runHub(['audit', 'verify', '--json'])
    expect([code, JSON.parse(out[0] ?? '')]).toEqual([0, { ...right, entries: 4, unfinished: [3] }])
    answer({ ...right, wrong: { number: 10, reason: 'is missing' }, next: null })
    const wrong = await runHub(['audit', 'verify', '--after', '9'])
    expect([wrong.code, wrong.out.join('\n')]).toEqual([
      1,
      expect.stringMatching(/^wrong number +10\nwrong reason +is missing$/m),
    ])
    answer({ ...right, next: null })
    expect((await runHub(['audit', 'verify'])).out.join('\n')).toMatch(/^wrong +none$/m)
  })

  it('looks on until there is a job to show, and says where to go on from there', async () => {
    const page = sampleAnswer('GET', '/operator/v1/jobs') as { jobs: [object] }
    const created = '2026-01-31T10:00:00.000Z'
    const jobs = [
      {
        ...page.jobs[0],
        created,
        currency: 'EUR',
        amount: '12.50',
        paid: '12.50',
        refunded: '2.50',
        chargedBack: '1.00',
      },
    ]
    answer({ jobs: [], next: 'first' }, { jobs: [], next: 'second' }, { jobs, next: 'third' })
    const { out } = await runHub(['job', 'list', '--amount', '9,95', '--mode', 'all', '--utc'])
    expect(requests()).toEqual(
      ['', '&after=first', '&after=second'].map((on) => `GET /jobs?amount=9.95&mode=all${on}`),
    )
    expect(out[0]).toMatch(/ amount +paid .* refunded +charged back /)
    expect(out.slice(2)).toEqual([
      expect.stringMatching(/^2026-01-31 10:00:00Z .* EUR 12\.50 +12\.50 +2\.50 +1\.00 /),
      '',
      'There may be more: repeat the command with --after third',
    ])
  })

  it.each([
    [[], ['live', 'test'], ['live', 'test'], 'test'],
    [[], ['test'], ['test', 'live'], null],
    [['--mode', 'live'], [], ['live', 'test'], 'test'],
    [['--mode', 'test'], [], ['test', 'live'], 'live'],
    [['--pos', 'p'], ['live', 'test'], [null], null],
  ])(
    'job list %j of shops %j is of one mode, and says when the other has such jobs',
    async (flags, shops, modes, told) => {
      const [sample] = (sampleAnswer('GET', '/operator/v1/jobs') as { jobs: object[] }).jobs
      const seen: (string | null)[] = []
      asked.mockImplementation(async (url) => {
        const { pathname, searchParams } = url as URL
        if (pathname.endsWith('/pos')) {
          const { pointsOfSale } = sampleAnswer('GET', pathname) as { pointsOfSale: object[] }
          return Response.json({ pointsOfSale: shops.map((mode) => ({ ...pointsOfSale[0], mode })) })
        }
        seen.push(searchParams.get('mode'))
        const isFound = searchParams.get('mode') === told
        return Response.json({ jobs: isFound ? [sample] : [], next: null })
      })
      const { out } = await runHub(['job', 'list', ...flags])
      expect(seen).toEqual(modes)
      expect(out.at(-1)?.includes(`--mode ${told}`)).toBe(told !== null)
    },
  )

  it('sends what was typed as it was typed', async () => {
    await runHub(['pos', 'create', '--name=-live', '--sign-return'])
    await runHub(['pos', 'update', POS, '--sign-return=on'])
    await runHub(['pos', 'update', POS, '--name=-live', '--sign-return', 'off'])
    await runHub(['pos', 'route', POS, '007', '--', 'a', '-b', '--json'])
    await runHub(['pos', 'route', POS, '*', '--remove'])
    await runHub(['pos', 'resecret', POS, '--overlap', '1.5', '--again'])
    await runHub(['pos', 'create', '--name', 'Bar', '--live', '--dialect', 'v1'])
    await runHub(['psp', 'currencies', 'a', 'EUR, USD'])
    await runHub(['psp', 'currencies', 'a', 'any'])
    await runHub(['terminal', 'add', 'a', 'term_1', '--name', 'Bar', '--alert-hours', '18:00-02:00'])
    await runHub(['terminal', 'add', 'a', 'term_1', '--alert-hours', 'none'])
    await runHub(['terminal', 'assign', POS, 'term_1', '--default'])
    await runHub(['terminal', 'assign', POS, 'term_1', '--remove'])
    await runHub(['books', 'reopen', '2026-01', '--mode', 'test'])
    await runHub(['job', 'clear-money', JOB, '--note', 'Settled'])
    expect(asked.mock.calls.map(([, init]): unknown => JSON.parse(init?.body as string))).toEqual([
      { name: '-live', mode: 'test', signReturn: true },
      { signReturn: true },
      { name: '-live', signReturn: false },
      { paymentMethod: '007', accounts: ['a', '-b', '--json'] },
      { paymentMethod: '*', accounts: [] },
      { overlapHours: 1.5, again: true },
      { name: 'Bar', mode: 'live', dialect: 'v1' },
      { currencies: ['EUR', 'USD'] },
      { currencies: null },
      { terminal: 'term_1', name: 'Bar', alertHours: '18:00-02:00' },
      { terminal: 'term_1', alertHours: null },
      { terminal: 'term_1', isDefault: true, isAssigned: true },
      { terminal: 'term_1', isAssigned: false },
      { mode: 'test' },
      { note: 'Settled' },
    ])
  })

  it('ends with 2 and one line for what the hub does not have, and with --json with the problem as one value', async () => {
    asked.mockImplementation(async () => problem(404, 'none'))
    const { code, out, err } = await runHub(['psp', 'check', 'b'])
    expect([code, out, err]).toEqual([2, [], [expect.stringContaining('answered 404: none')]])
    const asJson = await runHub(['psp', 'check', 'b', '--json'])
    expect([asJson.code, asJson.err]).toEqual([2, err])
    expect(asJson.out.map((text): unknown => JSON.parse(text))).toEqual([
      { error: err[0], problem: expect.objectContaining({ status: 404, detail: 'none' }) },
    ])
  })

  const [SHOP, NOTHING] = [{ pointsOfSale: 'Shop 1' }, { jobs: 0, entries: 0 }]
  it.each<[string, object, string]>([
    ['job show none', NOTHING, 'There is no payment job of order none.'],
    ['job why two', { jobs: 2 }, 'Several payment jobs are of order two: see job list --order two'],
    ['job watch none', NOTHING, 'There is no payment job of order none.'],
    ['report resend two', { jobs: 2 }, 'Several payment jobs are of order two: see job list --order two'],
    ['job cancel two', { jobs: 2 }, 'Several payment jobs are of order two: see job list --order two'],
    ['job refund none --all', NOTHING, 'There is no payment job of order none.'],
    ['pos rekey shop+2', SHOP, 'Did you mean Shop 1?'],
    ['job list --account shöp', NOTHING, 'There is no account "shöp".'],
    ['token revoke desc', { tokens: 'Desk' }, 'Did you mean Desk?'],
    [
      'audit list --by ana',
      { entries: 0, by: 'anna' },
      'No operator has changed anything as "ana". Did you mean anna?',
    ],
    ['audit list --subject shop+2', { ...SHOP, entries: 0 }, 'Did you mean Shop 1?'],
  ])(
    '%s ends with 2 if a word does not name one thing, and with --json prints the error as JSON',
    async (line, there, message) => {
      asked.mockImplementation(async (url) => Response.json(changed(url as URL, there)))
      const words = line.split(' ').map((word) => word.replace('+', ' '))
      const { code, out, err } = await runHub(words)
      expect([code, out, err.length]).toEqual([2, [], 1])
      expect(err[0]).toContain(message)
      const asJson = await runHub([...words, '--json'])
      expect(asJson.out.map((text): unknown => JSON.parse(text))).toEqual([{ error: err[0] }])
    },
  )
})

/** The sample of a list with so many of what is in it, or with things of this name. */
function changed(url: URL, there: object): object {
  const sample = sampleAnswer('GET', url.pathname) ?? {}
  const newest = url.search === '?limit=200'
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]: [string, unknown]) => {
      const wanted: unknown = Object.entries(there).find(([one]) => one === name)?.[1]
      if (!Array.isArray(value) || wanted === undefined) return [name, value]
      const [one] = value as object[]
      if (typeof wanted === 'string') return [name, [{ ...one, name: wanted, revoked: null }]]
      return [name, Array.from({ length: newest ? 1 : Number(wanted) }, () => ({ ...one, ...there }))]
    }),
  )
}
