import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { type Hub, type PaymentJob, HubError, createHub, verifyReport } from '../../src/client/client.ts'
import { pageOf } from '../../src/tools/certify/certificate.ts'
import { certify } from '../../src/tools/certify/certify.ts'
import { SCENARIOS } from '../../src/tools/certify/scenarios.ts'
import { freePort } from '../../src/tools/local/free-port.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { serve } from '../psp/official/serve.ts'
import { startHubProgram } from './hub-program.ts'
import { openTestPos } from './test-pos.ts'

const hub = inject('hub')
const SAMPLES = join(PROJECT, 'docs/pos/samples/shop')

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

function openPos() {
  return openTestPos(hub.url, hub.secrets['OPERATOR_TOKEN'])
}
type Pos = Awaited<ReturnType<typeof openPos>>

/** Certifies a shop whose pages are at `shop`; its own client pays where it finds the hub at `port`. */
function certifyAt(
  shop: string,
  { apiKey, signingSecret }: Pos,
  only: readonly string[],
  port: number | null,
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
    tell: () => {},
  })
}

const ALL = Object.keys(SCENARIOS)

/** Starts a sample of docs/pos/samples/shop in a folder of its own, and waits until it answers. */
async function startSample(program: string, words: (port: number) => string[], env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-shop-'))
  await cp(SAMPLES, folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'client.js'), await (await fetch(`${hub.url}/client.js`)).text())
  const port = await freePort()
  const child: ChildProcess = spawn(program, words(port), {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port), JOBS: folder },
    stdio: 'ignore',
  })
  endings.push(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://localhost:${port}`
  await vi.waitFor(() => fetch(`${url}/check?order_number=x`), { timeout: 30_000, interval: 200 })
  return url
}

describe('the sample shops', () => {
  it('that in Node is a whole integration, and passes all scenarios', async () => {
    const pos = await openPos()
    const port = await freePort()
    const env = {
      HUB_URL: `http://localhost:${port}`,
      API_KEY: pos.apiKey,
      SIGNING_SECRET: pos.signingSecret,
    }
    const url = await startSample(process.execPath, () => ['shop.ts'], env)
    const certificate = await certifyAt(url, pos, ALL, port)
    const others = certificate.scenarios.filter(({ result }) => result !== 'passed')
    expect(others.map(({ name, did }) => [name, did])).toEqual([])
    expect(certificate).toMatchObject({ verdict: 'passed', shop: url })
    const page = pageOf(certificate)
    for (const name of ALL) expect(page).toContain(`<b>${name}</b>`)
    expect(page).not.toContain(pos.apiKey)
  })

  it.each([
    ['python3', () => ['shop.py']],
    ['php', (port: number) => ['-S', `localhost:${port}`, 'shop.php']],
  ] as const)('that for %s passes all that needs no client', async (program, words) => {
    if (spawnSync(program, ['--version']).status !== 0) return console.warn(`No ${program} here.`)
    const pos = await openPos()
    const url = await startSample(program, words, { SIGNING_SECRET: pos.signingSecret })
    const certificate = await certifyAt(url, pos, ALL, null)
    const others = certificate.scenarios.filter(({ result }) => result !== 'passed')
    expect(certificate.verdict).toBe('incomplete')
    expect(others.map(({ name }) => name)).toEqual([
      'answer-lost',
      'token-expired',
      'too-many-requests',
      'unavailable',
    ])
  })
})

/** What a shop in these tests does, and does wrong. */
type Order = { number: string; job: string; newest: PaymentJob | null; isPaid: boolean; handled: number }
type Rules = {
  isGenuine: (headers: IncomingHttpHeaders, body: string, secret: string) => Promise<boolean>
  /** Takes in a report. Gives the status that the shop answers. */
  learn: (order: Order, job: PaymentJob) => number
  comesBack: (order: Order) => void
  pay: (hub: Hub, wanted: object, number: string) => Promise<string>
  amountOf: (amount: string) => string
}

const GOOD: Rules = {
  isGenuine: (headers, body, secret) =>
    verifyReport({ headers, body }, secret).then(
      () => true,
      () => false,
    ),
  learn: (order, job) => {
    if (order.newest && order.newest.lastUpdate >= job.lastUpdate) return 204
    order.newest = job
    if (job.status === 'SUCCESS' && !order.isPaid) order.handled += 1
    order.isPaid ||= job.status === 'SUCCESS'
    return 204
  },
  comesBack: () => {},
  pay: async (api, wanted, number) =>
    (await api.createPaymentJob(wanted as never, { idempotencyKey: number })).payUrl,
  amountOf: (amount) => amount,
}

async function openShop(pos: Pos, port: number, rules: Rules): Promise<string> {
  const api = createHub({ baseUrl: `http://localhost:${port}`, apiKey: pos.apiKey })
  const orders = new Map<string, Order>()
  const orderOf = (number: string): Order => {
    const order = orders.get(number) ?? { number, job: '', newest: null, isPaid: false, handled: 0 }
    orders.set(number, order)
    return order
  }
  const server = await serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const order = orderOf(searchParams.get('order_number') ?? '')
    if (pathname === '/check') return Response.json({ paid: order.isPaid, handled: order.handled })
    if (pathname === '/thanks') {
      rules.comesBack(order)
      return new Response('Thank you.')
    }
    const body = await request.text()
    if (pathname === '/report') {
      const headers = Object.fromEntries(request.headers)
      if (!(await rules.isGenuine(headers, body, pos.signingSecret)))
        return new Response(null, { status: 401 })
      const job = JSON.parse(body) as PaymentJob
      return new Response(null, { status: rules.learn(orderOf(job.orderNumber), job) })
    }
    const { order_number, amount, currency } = JSON.parse(body) as Record<string, string>
    const wanted = {
      currency,
      amount: rules.amountOf(amount ?? ''),
      payment_method: 'ideal',
      order_id: '1',
      order_number,
      language: 'nl',
      ip_address: '203.0.113.7',
      return_url: `${server.url}/thanks?order_number=${order_number}`,
      report_url: `${server.url}/report`,
    }
    try {
      return Response.json({ payUrl: await rules.pay(api, wanted, order_number ?? '') })
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      return new Response(error.message, { status: 503 })
    }
  })
  endings.push(server.stop)
  return server.url
}

/** Creates once by hand, as a program without the client does. */
async function createOnce(pos: Pos, port: number, wanted: object, key: string): Promise<Response> {
  return fetch(`http://localhost:${port}/v2/paymentjobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${pos.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ timestamp: 1_790_000_000, ...wanted }),
  })
}

type Wrong = { rules: (pos: Pos, port: number) => Partial<Rules>; fails: string[]; because: RegExp }

const WRONG: Record<string, Wrong> = {
  'verifies no signature': {
    rules: () => ({ isGenuine: async () => true }),
    fails: ['unsigned', 'tampered', 'another-shop', 'stale'],
    because: /calls an order paid that is not/,
  },
  'looks at no timestamp': {
    rules: () => ({
      isGenuine: (headers, body, secret) =>
        GOOD.isGenuine({ 'x-signature': headers['x-signature'] }, body, secret),
    }),
    fails: ['stale'],
    because: /calls an order paid that is not/,
  },
  'calls an order paid when the customer comes back': {
    rules: () => ({ comesBack: (order) => (order.isPaid = true) }),
    fails: ['declined', 'paid-late', 'unpaid-return', 'forged-return'],
    because: /calls an order paid that is not/,
  },
  'believes the report that came last': {
    rules: () => ({
      learn: (order, job) => {
        order.isPaid = job.status === 'SUCCESS'
        return 204
      },
    }),
    fails: ['out-of-order'],
    because: /calls an order unpaid that is paid/,
  },
  'takes an expired order for lost': {
    rules: () => ({
      learn: (order, job) => (order.newest?.status === 'EXPIRED' ? 204 : GOOD.learn(order, job)),
    }),
    fails: ['paid-after-expiry'],
    because: /calls an order unpaid that is paid/,
  },
  'sends the goods for each report': {
    rules: () => ({
      learn: (order, job) => {
        if (job.status === 'SUCCESS') order.handled += 1
        order.isPaid ||= job.status === 'SUCCESS'
        return 204
      },
    }),
    fails: ['three-times', 'answers-slowly', 'partial-refund'],
    because: /handled one paid order \d times/,
  },
  'refuses a report that it has': {
    rules: () => ({
      learn: (order, job) => (order.newest?.lastUpdate === job.lastUpdate ? 409 : GOOD.learn(order, job)),
    }),
    fails: ['three-times', 'answers-slowly'],
    because: /answered a genuine report with: 409/,
  },
  'knows all members': {
    rules: () => ({ learn: (order, job) => ('loyalty' in job ? 500 : GOOD.learn(order, job)) }),
    fails: ['unknown-members'],
    because: /answered a genuine report with: 500/,
  },
  'reckons all amounts with two decimals': {
    rules: () => ({ amountOf: (amount) => (Number(amount.replace('.', '')) / 100).toFixed(2) }),
    fails: ['no-decimals', 'three-decimals'],
    because: /asked for JPY 10.00|asked for KWD|without the payUrl/,
  },
  'makes a new key for each create': {
    rules: (pos, port) => ({
      pay: async (_, wanted) => {
        const created = await createOnce(pos, port, wanted, crypto.randomUUID()).catch(() => null)
        if (!created?.ok) throw new HubError({ code: 'no-answer', message: 'Try again.' })
        return ((await created.json()) as PaymentJob).payUrl
      },
    }),
    fails: ['answer-lost'],
    because: /made 2 payments of one order/,
  },
  'asks again at once': {
    rules: (pos, port) => ({
      pay: async (_, wanted, number) => {
        for (;;) {
          const created = await createOnce(pos, port, wanted, number)
          if (created.ok) return ((await created.json()) as PaymentJob).payUrl
        }
      },
    }),
    fails: ['too-many-requests', 'unavailable'],
    because: /asked again after 0\.\d s/,
  },
}

it('a good shop of these tests passes what the wrong ones fail', async () => {
  const [pos, port] = [await openPos(), await freePort()]
  const url = await openShop(pos, port, GOOD)
  const played = [...new Set(Object.values(WRONG).flatMap(({ fails }) => fails))]
  const { scenarios } = await certifyAt(url, pos, played, port)
  expect(scenarios.filter(({ result }) => result !== 'passed').map(({ name, did }) => [name, did])).toEqual(
    [],
  )
})

it.concurrent.each(Object.entries(WRONG))(
  'a shop that %s fails for that',
  async (_, { rules, fails, because }) => {
    const [pos, port] = [await openPos(), await freePort()]
    const url = await openShop(pos, port, { ...GOOD, ...rules(pos, port) })
    const { scenarios, verdict } = await certifyAt(url, pos, [...fails, 'paid'], port)
    expect(verdict).toBe('failed')
    expect(scenarios.map(({ name, result, did }) => [name, result, result === 'failed' ? '' : did])).toEqual([
      ...fails.map((name) => [name, 'failed', '']),
      ['paid', 'passed', ''],
    ])
    for (const { name, did, steps } of scenarios.filter(({ result }) => result === 'failed')) {
      expect(did, name).toMatch(because)
      expect(steps.length).toBeGreaterThan(1)
    }
  },
)

it('npx hub certify writes the certificate, and ends with 1 and what failed', async () => {
  const pos = await openPos()
  const url = await openShop(pos, 0, { ...GOOD, ...WRONG['looks at no timestamp']?.rules(pos, 0) })
  const out = await mkdtemp(join(tmpdir(), 'payment-hub-certificate-'))
  endings.push(() => rm(out, { recursive: true, force: true }))
  const env = { HUB_URL: hub.url, HUB_API_KEY: pos.apiKey, HUB_SIGNING_SECRET: pos.signingSecret }
  const program = startHubProgram(['certify', url, '--only', 'paid,stale', '--ci', '--out', out], env)
  expect(await program.ended).toBe(1)
  expect(program.out()[0]).toMatch(/^failed +stale /)
  expect(program.out().join('\n')).toContain('1 scenarios passed, 1 failed')
  expect(JSON.parse(await readFile(join(out, 'certificate.json'), 'utf8'))).toMatchObject({
    verdict: 'failed',
  })
  expect(await readFile(join(out, 'certificate.html'), 'utf8')).toContain('curl -si')
})
