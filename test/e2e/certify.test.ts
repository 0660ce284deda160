import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { pageOf, sharedMistakes } from '../../src/kit/certify/certificate.ts'
import { certify } from '../../src/kit/certify/certify.ts'
import { SCENARIOS } from '../../src/kit/certify/scenarios.ts'
import { freePort } from '../../src/programs/free-port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { codesOf, read, rowsUnder } from '../docs/documents.ts'
import { isInstalled } from '../support/installed.ts'
import { type Pos, openPos, operate } from './clients.ts'
import { startHubProgram } from './hub-program.ts'

const hub = inject('hub')
const SAMPLES = join(PROJECT, 'docs/pos/samples/shop')

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

/** Certifies a shop with its pages at `shop`. The shop's client finds the hub at `port`. */
function certifyAt(
  shop: string,
  { apiKey, signingSecret }: Pos,
  only: readonly string[] | undefined,
  port: number | null,
  stop = new AbortController().signal,
) {
  const at = (path: string) => shop + path
  const isOwn = port !== null
  return certify({
    hub: { url: hub.url, key: apiKey },
    addresses: {
      report: isOwn ? null : at('/report'),
      return: isOwn ? null : at('/thanks'),
      check: at('/check'),
      pay: isOwn ? at('/pay') : null,
    },
    askPerson: null,
    secret: signingSecret,
    port: port ?? 0,
    only,
    captures: false,
    terminals: false,
    stop,
    tell: () => {},
  })
}

const ALL = Object.keys(SCENARIOS)
const OF_CAPTURES = ALL.filter((name) => SCENARIOS[name]?.captures)
const OF_TERMINALS = ALL.filter((name) => SCENARIOS[name]?.terminal && !SCENARIOS[name].byName)
function isUsual(name: string): boolean {
  const scenario = SCENARIOS[name]
  return !scenario?.captures && !scenario?.terminal && !scenario?.byName
}
/** The scenarios for a shop that never captures manually and has no terminals. */
const USUAL = ALL.filter(isUsual)

/** Changes to a sample: each text, and its replacement. */
type Changes = readonly (readonly [before: string, after: string])[]

/**
 * Starts a shop of docs/pos/samples/shop in its own folder, and waits until it answers. The shop finds the
 * hub at the local `port`.
 */
async function startShop(changes: Changes = [], words: readonly string[] = [process.execPath, 'shop.ts']) {
  const [pos, port, own] = [await openPos(hub), await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-shop-'))
  await cp(SAMPLES, folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const client of ['client.js', 'client.py', 'client.php'])
    await writeFile(join(folder, client), await (await fetch(`${hub.url}/${client}`)).text())
  let text = await readFile(join(folder, 'shop.ts'), 'utf8')
  for (const [before, after] of changes) {
    expect(text).toContain(before)
    text = text.replace(before, () => after)
  }
  await writeFile(join(folder, 'shop.ts'), text)
  const [program = '', ...others] = words.map((word) => word.replace('PORT', String(own)))
  const child: ChildProcess = spawn(program, others, {
    cwd: folder,
    env: {
      ...process.env,
      HUB_URL: `http://localhost:${port}`,
      API_KEY: pos.apiKey,
      SIGNING_SECRET: pos.signingSecret,
      PORT: String(own),
      ORDERS: folder,
    },
    stdio: 'ignore',
  })
  endings.push(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://localhost:${own}`
  const isUp = async () => {
    await fetch(`${url}/check?order_number=x`)
    expect(child.exitCode, 'another program answers').toBeNull()
  }
  await vi.waitFor(isUp, { timeout: 30_000, interval: 200 })
  return { pos, port, url }
}

it.concurrent.for([
  ['Node', [process.execPath, 'shop.ts']],
  ['Python', ['python3', 'shop.py']],
  ['PHP', ['php', '-S', 'localhost:PORT', 'shop.php']],
] as const)(
  'the sample shop in %s is a whole integration, and passes all scenarios',
  { timeout: 180_000 },
  async ([, words], { skip }) => {
    skip(!isInstalled(words[0]))
    const { pos, port, url } = await startShop([], words)
    const certificate = await certifyAt(url, pos, USUAL, port)
    const others = certificate.scenarios.filter(({ result }) => result !== 'passed')
    expect(others.map(({ name, did }) => [name, did])).toEqual([])
    expect(certificate).toMatchObject({ verdict: 'passed', shop: url })
    const page = pageOf(certificate)
    for (const name of USUAL) expect(page).toContain(`<b>${name}</b>`)
    expect(page).not.toContain(pos.apiKey)
    await expectNothingLeft(pos, USUAL.length)
  },
)

it.concurrent('a shop whose client does not pay passes the scenarios that need no client', async () => {
  const { pos, url } = await startShop([
    ['const order = orders.get(job.orderNumber)', "const order = orderOf(job.orderNumber, '', '')"],
  ])
  const ofClients = ['two-clicks', 'answer-lost', 'token-expired', 'too-many-requests', 'unavailable']
  const { scenarios, verdict } = await certifyAt(url, pos, ['three-times', 'stale', ...ofClients], null)
  expect(verdict).toBe('incomplete')
  expect(scenarios.map(({ name, result }) => [name, result])).toEqual([
    ['three-times', 'passed'],
    ['stale', 'passed'],
    ...ofClients.map((name) => [name, 'not played']),
  ])
})

const LEARN =
  'learn(await verifyReport({ headers: request.headers, body: await bodyOf(request) }, SIGNING_SECRET))'
const NEWEST = 'if (known && known.lastUpdate >= job.lastUpdate) return'
const CREATE = 'const job = await hub.createPaymentJob('
const FIRST_SUCCESS = "if (job.status === 'SUCCESS' && !order.isPaid) {"
const KEY = '{ idempotencyKey: `order-${order.id}-attempt-${order.attempt}` }'

/** Makes the shop reserve money if the customer's order says so. */
const MANUAL: Changes = [
  [
    'order_id: String(order.id),',
    "order_id: String(order.id), ...(order.later && { capture: 'manual', payment_method: 'creditcard' }),",
  ],
  [
    '  try {\n    response.writeHead(303',
    '  order.later = wanted.capture\n  try {\n    response.writeHead(303',
  ],
]

/** Makes the shop use a terminal if the order says so. */
const AT_TERMINAL: Changes = [
  [
    'order_id: String(order.id),',
    "order_id: String(order.id), ...(order.terminal && { terminal: order.terminal, payment_method: 'terminal' }),",
  ],
  [
    '  try {\n    response.writeHead(303',
    '  order.terminal = wanted.terminal\n  try {\n    response.writeHead(303',
  ],
]

/** Makes the shop send its own request to create a job, without the client. */
const BY_HAND: Changes[number] = [
  'type Handler =',
  `async function createByHand(order, { idempotencyKey }) {
  return fetch(HUB_URL + '/v2/paymentjobs', {
    method: 'POST',
    headers: {
      'authorization': 'Bearer ' + API_KEY,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ timestamp: 1_790_000_000, ...order }),
  })
}
async function createOnce(...order) {
  const created = await createByHand(...order).catch(() => null)
  if (!created?.ok) throw new HubError({ code: 'no-answer', message: 'Try again.' })
  return created.json()
}
async function createAtOnce(...order) {
  const created = await createByHand(...order)
  return created.ok ? created.json() : createAtOnce(...order)
}

type Handler =`,
]

const ONLY_BODY = "{ 'x-signature': request.headers['x-signature'] }"

/** Faults in the good shop for Node, the scenarios that detect each, and their messages. */
const WRONG: Readonly<Record<string, readonly [Changes, fails: readonly string[], because: RegExp]>> = {
  'verifies no signature': [
    [[LEARN, 'learn(JSON.parse((await bodyOf(request)).toString()))']],
    ['unsigned', 'tampered', 'another-shop', 'stale'],
    /calls an order paid that is not/,
  ],
  'looks at no timestamp': [
    [
      [
        LEARN,
        LEARN.replace('SECRET)', 'SECRET, { withoutTime: true })').replace('request.headers', ONLY_BODY),
      ],
    ],
    ['stale'],
    /calls an order paid that is not/,
  ],
  'calls an order paid when the customer comes back': [
    [['response.writeHead(200).end(order.isPaid', 'response.writeHead(200).end((order.isPaid = true)']],
    ['declined', 'paid-late', 'unpaid-return', 'forged-return'],
    /calls an order paid that is not/,
  ],
  'believes the report that came last': [
    [
      [NEWEST, "order.isPaid = job.status === 'SUCCESS'"],
      [FIRST_SUCCESS, 'if (false) {'],
    ],
    ['out-of-order'],
    /calls an order unpaid that is paid/,
  ],
  'takes an expired order for lost': [
    [[NEWEST, "if (known?.status === 'EXPIRED') return"]],
    ['paid-after-expiry'],
    /calls an order unpaid that is paid/,
  ],
  'sends the goods for each report': [
    [
      [NEWEST, ''],
      [FIRST_SUCCESS, "if (job.status === 'SUCCESS') {"],
    ],
    ['three-times', 'answers-slowly', 'partial-refund'],
    /handled one paid order \d times/,
  ],
  'refuses a report that it has': [
    [
      [NEWEST, "if (known?.lastUpdate === job.lastUpdate) throw new ReportError('too-old', 'I have it.')"],
      ['writeHead(400)', 'writeHead(409)'],
    ],
    ['three-times', 'answers-slowly'],
    /answered a genuine report with: 409/,
  ],
  'knows all members': [
    [[NEWEST, "if ('loyalty' in job) throw new Error('What is loyalty?')"]],
    ['unknown-members'],
    /answered a genuine report with: 500/,
  ],
  'reckons all amounts with two decimals': [
    [['amount: order.amount,', "amount: (Number(order.amount.replace('.', '')) / 100).toFixed(2),"]],
    ['no-decimals', 'three-decimals'],
    /asked for JPY 10.00|asked for KWD|without the payUrl/,
  ],
  'takes reserved money for paid': [
    [
      ...MANUAL,
      [
        FIRST_SUCCESS,
        FIRST_SUCCESS.replace(
          "job.status === 'SUCCESS'",
          "(job.status === 'SUCCESS' || job.amountAuthorized)",
        ),
      ],
    ],
    ['captured', 'capture-too-late'],
    /calls an order paid that is not/,
  ],
  'orders nothing to be captured later': [[], ['captured'], /ordered without capture/],
  'makes a new key for each create': [
    [BY_HAND, [CREATE, 'const job = await createOnce('], [KEY, '{ idempotencyKey: crypto.randomUUID() }']],
    ['two-clicks', 'answer-lost'],
    /made 2 payments of one order/,
  ],
  'takes the money again while nobody knows': [
    [...AT_TERMINAL, [KEY, '{ idempotencyKey: crypto.randomUUID() }']],
    ['terminal-silent'],
    /made 2 payments of one order/,
  ],
  'calls only the exact amount paid': [
    [
      ...AT_TERMINAL,
      [
        FIRST_SUCCESS,
        FIRST_SUCCESS.replace('!order.isPaid', '!order.isPaid && job.amountPaid === order.amount'),
      ],
    ],
    ['tip'],
    /calls an order unpaid that is paid/,
  ],
  'asks again at once': [
    [BY_HAND, [CREATE, 'const job = await createAtOnce(']],
    ['too-many-requests', 'unavailable'],
    /asked again after 0\.\d s/,
  ],
}

it.concurrent.each(Object.entries(WRONG))(
  'a shop that %s fails for that',
  async (_, [changes, fails, because]) => {
    const { pos, port, url } = await startShop(changes)
    const { scenarios, verdict } = await certifyAt(url, pos, [...fails, 'never-returns'], port)
    expect(verdict).toBe('failed')
    expect(scenarios.map(({ name, result, did }) => [name, result, fails.includes(name) ? '' : did])).toEqual(
      [...fails.map((name) => [name, 'failed', '']), ['never-returns', 'passed', '']],
    )
    for (const { name, did, steps } of scenarios.filter(({ result }) => result === 'failed')) {
      expect(did, name).toMatch(because)
      expect(steps.length).toBeGreaterThan(1)
    }
    await expectNothingLeft(pos, 1)
  },
)

it.concurrent('a shop that captures later passes what is played for it', { timeout: 180_000 }, async () => {
  const { pos, port, url } = await startShop(MANUAL)
  const { scenarios, verdict } = await certifyAt(url, pos, [...OF_CAPTURES, 'refused', 'slow', 'down'], port)
  expect(scenarios.flatMap(({ name, result, did }) => (result === 'passed' ? [] : [[name, did]]))).toEqual([])
  expect(verdict).toBe('passed')
})

it.concurrent('a till passes what is played at its terminals', { timeout: 180_000 }, async () => {
  const { pos, port, url } = await startShop(AT_TERMINAL)
  const { scenarios, verdict } = await certifyAt(url, pos, OF_TERMINALS, port)
  expect(scenarios.flatMap(({ name, result, did }) => (result === 'passed' ? [] : [[name, did]]))).toEqual([])
  expect(verdict).toBe('passed')
})

type Listed = { status: string; unapplied: string; owedSince: string | null; givenUp: string | null }

/** Waits until the index shows that nothing waits or fails at a point of sale, and no money pays no order. */
async function expectNothingLeft({ id }: Pos, least: number) {
  await vi.waitFor(
    async () => {
      const { jobs } = await operate<{ jobs: Listed[] }>(hub, `/jobs?pos=${id}&limit=200`)
      expect(jobs.length).toBeGreaterThanOrEqual(least)
      const left = jobs.filter(
        ({ status, unapplied, owedSince, givenUp }) =>
          status === 'PENDING' || Number(unapplied) !== 0 || owedSince !== null || givenUp !== null,
      )
      expect(left).toEqual([])
    },
    { timeout: 20_000, interval: 500 },
  )
}

it.concurrent(
  'a slow receiver is one mistake, found within a minute, and leaves nothing behind',
  { timeout: 180_000 },
  async () => {
    const { pos, port, url } = await startShop([
      [
        LEARN,
        `const body = await bodyOf(request); await new Promise((later) => setTimeout(later, 20_000)); ${LEARN.replace('await bodyOf(request)', 'body')}`,
      ],
    ])
    const begun = Date.now()
    const { scenarios } = await certifyAt(url, pos, USUAL, port)
    expect(Date.now() - begun).toBeLessThan(60_000)
    expect(scenarios.map(({ name }) => name)).toEqual(USUAL)
    const [mistake, ...others] = sharedMistakes(scenarios)
    expect(others).toEqual([])
    expect(mistake?.advice).toHaveLength(1)
    await expectNothingLeft(pos, USUAL.length)
  },
)

it.concurrent(
  'a shop that captures later is tried with captures, without being said so',
  { timeout: 180_000 },
  async () => {
    const ships = FIRST_SUCCESS.replace(
      "job.status === 'SUCCESS'",
      "(job.status === 'SUCCESS' || job.amountAuthorized)",
    )
    const { pos, port, url } = await startShop([...MANUAL, [FIRST_SUCCESS, ships]])
    const { scenarios } = await certifyAt(url, pos, undefined, port)
    expect(scenarios.map(({ name }) => name).toSorted()).toEqual(
      [...USUAL, ...OF_CAPTURES.filter((name) => name !== 'held')].toSorted(),
    )
    expect(scenarios.find(({ name }) => name === 'captured')?.did).toContain(
      'calls an order paid that is not',
    )
    await expectNothingLeft(pos, USUAL.length)
  },
)

it.concurrent('a shop that captures every order later is told that each order says when', async () => {
  const always = "order_id: String(order.id), capture: 'manual', payment_method: 'creditcard',"
  const { pos, port, url } = await startShop([['order_id: String(order.id),', always]])
  const { scenarios } = await certifyAt(url, pos, ['paid', 'captured'], port)
  expect(scenarios.map(({ did }) => did)).toEqual([
    expect.stringContaining('reserved the money of an order'),
    '',
  ])
})

it.concurrent.each([
  [
    'the key of another point of sale',
    async () => (await openPos(hub)).apiKey,
    /key of another point of sale/,
  ],
  ['a key that the hub does not know', async () => 'k'.repeat(160), /because the hub answered 401/],
])('a shop that was started with %s is told that, once', async (_, keyOf, because) => {
  const { pos, port, url } = await startShop([['apiKey: API_KEY', `apiKey: '${await keyOf()}'`]])
  const { scenarios } = await certifyAt(url, pos, ['paid', 'declined', 'three-times'], port)
  const [mistake, ...others] = sharedMistakes(scenarios)
  expect([mistake?.did, mistake?.failed, others]).toEqual([expect.stringMatching(because), 3, []])
  expect(mistake?.advice).toEqual([
    { should: expect.stringContaining('HUB_API_KEY') as string, names: expect.any(Array) as string[] },
  ])
})

it.concurrent('Ctrl-C ends what a certificate has made', { timeout: 180_000 }, async () => {
  const { pos, port, url } = await startShop()
  const program = startHubProgram(['certify', url, '--pay-url', '/pay', '--port', String(port)], envOf(pos))
  await vi.waitFor(() => expect(program.out().length).toBeGreaterThan(2), 60_000)
  expect(await program.stop('SIGINT')).toBe(130)
  expect(program.err()).toContain('no certificate')
  await expectNothingLeft(pos, 3)
})

function envOf({ apiKey, signingSecret }: Pos) {
  return { HUB_URL: hub.url, HUB_API_KEY: apiKey, HUB_SIGNING_SECRET: signingSecret }
}

it('the page of the manual names every scenario', () => {
  const named = rowsUnder(read('docs/pos/certificate.md'), '## What is played').flatMap(([names = '']) =>
    codesOf(names),
  )
  expect(named.toSorted()).toEqual(ALL.toSorted())
})

it('where no shop answers, nothing is played', async () => {
  const nobody = `http://localhost:${await freePort()}`
  await expect(certifyAt(nobody, await openPos(hub), ALL, null)).rejects.toThrow(
    `No shop answers at ${nobody}`,
  )
})

it('npx hub certify writes the certificate, and ends with 1 and what failed', async () => {
  const { pos, port, url } = await startShop([[LEARN, LEARN.replace('SIGNING_SECRET', "'d3Jvbmc='")]])
  const out = await mkdtemp(join(tmpdir(), 'payment-hub-certificate-'))
  endings.push(() => rm(out, { recursive: true, force: true }))
  const program = startHubProgram(
    [
      'certify',
      url,
      '--pay-url',
      '/pay',
      '--port',
      String(port),
      '--only',
      'paid,declined,stale',
      '--ci',
      '--out',
      out,
    ],
    envOf(pos),
  )
  expect(await program.ended).toBe(1)
  const [mistake, advice, names, ...others] = program.out()
  expect(mistake).toMatch(/^failed +2 scenarios: .* a genuine report with: 400\.$/)
  expect(advice).toMatch(/^ +Verify its signature over the raw body/)
  expect(names).toMatch(/^ +paid, declined$/)
  expect(others.join('\n')).toContain('1 scenarios passed, 2 failed')
  expect(JSON.parse(await readFile(join(out, 'certificate.json'), 'utf8'))).toMatchObject({
    verdict: 'failed',
  })
  expect(await readFile(join(out, 'certificate.html'), 'utf8')).toContain('curl -si')
})
