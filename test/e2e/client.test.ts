import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type * as Client from '../../src/client/client.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { blocksOf, read } from '../docs/documents.ts'
import { isInstalled } from '../support/installed.ts'
import { choose, next, openPos, orderOf } from './clients.ts'
import { openShops } from './shops.ts'

const hub = inject('hub')
let folder: string
let client: typeof Client
let shop: Awaited<ReturnType<typeof openShops>>

async function fetched(path: string): Promise<string> {
  return (await fetch(hub.url + path)).text()
}

beforeAll(async () => {
  shop = await openShops()
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-client-'))
  const kit = await (await fetch(`${hub.url}/kit.tgz`)).bytes()
  execFileSync('tar', ['-xz', '-C', folder, '--strip-components=1'], { input: kit })
  client = (await import(pathToFileURL(join(folder, 'client.js')).href)) as typeof Client
})
afterAll(async () => {
  shop.close()
  await rm(folder, { recursive: true, force: true })
})

/** The report of a job. It may still be on its way. */
function reportOf(job: string) {
  return vi.waitFor(() => shop.of(job)[0] ?? Promise.reject(new Error('no report has come')), 20_000)
}

describe('the client in the kit, in Node', () => {
  it('is the one that the hub serves, with its types, and depends on nothing', async () => {
    const clients = ['client.d.ts', 'client.js', 'client.php', 'client.py']
    const files = [
      'NOTICES.txt',
      'README.md',
      'chunk.js',
      ...clients,
      'hub.json',
      'kit.js',
      'package.json',
      'run.js',
    ]
    expect((await readdir(folder)).toSorted()).toEqual(files)
    for (const file of clients)
      expect(await readFile(join(folder, file), 'utf8')).toBe(await fetched(`/${file}`))
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object
    expect(manifest).toMatchObject({ type: 'module', exports: { '.': { types: './client.d.ts' } } })
    expect(Object.keys(manifest).filter((member) => /ependencies|scripts/.test(member))).toEqual([])
  })

  it('takes a payment: it waits, watches, and verifies the report', async () => {
    const { apiKey, signingSecret } = await openPos(hub)
    const point = client.createHub({ baseUrl: hub.url, apiKey })
    const job = await point.createPaymentJob(orderOf(shop.url))
    const seen: string[] = []
    const watching = (async () => {
      for await (const { status } of point.watch(job)) {
        seen.push(status)
        if (status === 'SUCCESS') return
      }
    })()
    const waiting = point.waitFor(job, { timeout: 30_000 })
    await vi.waitFor(() => expect(seen).toEqual(['PENDING']), 20_000)
    await next(await choose(job.payUrl, 'paid'))
    expect(await waiting).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    await watching
    expect(seen).toEqual(['PENDING', 'SUCCESS'])
    const report = await reportOf(job.paymentJob)
    expect(await client.verifyReport(report, signingSecret)).toMatchObject({
      paymentJob: job.paymentJob,
      status: 'SUCCESS',
    })
    await expect(client.verifyReport(report, 'x'.repeat(64))).rejects.toMatchObject({
      code: 'signature-wrong',
    })
  })

  it('rejects with a HubError without a status if nothing listens at its address', async () => {
    const point = client.createHub({ baseUrl: 'http://localhost:9', apiKey: 'x'.repeat(160), timeout: 1000 })
    await expect(point.paymentMethods()).rejects.toBeInstanceOf(client.HubError)
    await expect(point.paymentMethods()).rejects.toMatchObject({ status: null })
  })
})

/** Compiles programs next to the downloaded client. Returns TypeScript's errors. */
async function compile(programs: Record<string, string>): Promise<string> {
  const files = Object.keys(programs).map((name) => join(folder, `${name}.ts`))
  for (const [name, source] of Object.entries(programs)) await writeFile(join(folder, `${name}.ts`), source)
  const options =
    '--ignoreConfig --noEmit --strict --target es2022 --module nodenext --lib es2022,dom,dom.iterable,dom.asynciterable'
  const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((resolve) => {
    const args = [compiler, ...options.split(' '), '--types', '', ...files]
    execFile(process.execPath, args, { cwd: folder }, (_, out, err) => resolve(out + err))
  })
}

describe('the types that the hub serves', () => {
  it('are enough for strict programs with nothing else installed: one of ours, and those of the page', async () => {
    const program = `
      import { HubError, ReportError, createHub, verifyReport, type PaymentJob, type ProblemCode, type Status } from './client.js'
      const hub = createHub({ baseUrl: 'https://hub.example.com', apiKey: 'k' })
      const job = await hub.createPaymentJob({ currency: 'EUR', amount: '12.50', payment_method: 'ideal', order_id: 1, order_number: 'A',
        language: 'nl', ip_address: '203.0.113.7', return_url: 'https://a.nl', report_url: 'https://a.nl' })
      const now: PaymentJob = await hub.waitFor(job, { until: ({ payments }) => payments.steps.some(({ action }) => action === 'Refund') })
      const status: Status = now.status
      for await (const { amountPaid } of hub.watch(job)) amountPaid.slice(1)
      const { paymentMethods } = await hub.paymentMethods({ language: 'nl' })
      const limit: string | undefined = paymentMethods[0]?.limits?.[0]?.minimum
      const page = await hub.listPaymentJobs({ from: new Date(), status: 'SUCCESS' })
      const next: string | null = page.next
      const code: ProblemCode = 'refund-too-much'
      export const report = async (request: Request) => {
        try { return (await verifyReport(request, ['a', 'b'])).paymentJob } catch (error) {
          if (error instanceof HubError) return error.code === code ? error.errors : error.retryAfter
          if (error instanceof ReportError) return error.code
          return [status, limit, next]
        }
      }`
    const [payment = '', failure = '', report = ''] = blocksOf(read('docs/pos/client.md'), 'ts')
    const [till = ''] = blocksOf(read('docs/pos/terminals.md'), 'ts')
    const node = 'declare const process: { env: Record<string, string | undefined> }\n'
    const [payments, reports] = [`${node}${payment}\n${failure}`, `${node}${report}`]
    expect(till).toContain('unknown')
    expect(await compile({ program, payments, reports, till: `${node}${till}` })).toBe('')
  })

  it('refuse what the hub would refuse, and an unknown status', async () => {
    const program = `
      import { createHub } from './client.js'
      const hub = createHub({ baseUrl: 'https://hub.example.com' })
      await hub.createPaymentJob({ amount: '1.00' })
      await hub.createPaymentJob({ terminal: 'default', amount: '1.00', currency: 'EUR' })
      const paid = (await hub.getPaymentJob('x')).status === 'PAID'
      await hub.listPaymentJobs({ status: 'paid' })`
    const complaints = await compile({ wrong: program })
    for (const line of [3, 4, 5, 6, 7]) expect(complaints).toContain(`wrong.ts(${line},`)
  })
})

/** A shop's program with a single-file client. It prints a line for each result. */
const PROGRAMS = {
  php: [
    'php',
    `<?php
require __DIR__ . '/client.php';
$hub = new PaymentHub(getenv('HUB'), getenv('API_KEY'), 30, __DIR__);
$order = json_decode(getenv('ORDER'), true);
$job = $hub->createPaymentJob($order, 'one');
echo $hub->createPaymentJob($order, 'one')['paymentJob'] === $job['paymentJob'] ? "once\\n" : "twice\\n";
echo $job['payUrl'], "\\n";
echo $hub->waitFor($job, 60)['status'], "\\n";
echo $hub->refund($job, ['amount' => '5.00'])['amount'], ' ', count($hub->refunds($job)), "\\n";
try {
    $hub->refund($job, ['amount' => '99.00']);
} catch (HubError $error) {
    echo $error->problem, ' ', $error->status, "\\n";
}
$held = $hub->waitFor(getenv('RESERVED'), 60);
echo $held['amountAuthorized'], ' ', $hub->capture($held, ['amount' => '5.00', 'final' => true], 'c')['amount'], ' ', count($hub->captures($held)), "\\n";
echo $hub->waitFor($held, 60)['amountReleased'], ' ', $hub->release($held)['status'], "\\n";
echo $hub->cancel($hub->createPaymentJob($order))['status'], ' ', $hub->paymentMethods('nl')['language'], "\\n";
[$body, $headers] = json_decode(stream_get_contents(STDIN), true);
echo PaymentHub::verifyReport($body, $headers, ['AAAA', getenv('SECRET')])['status'], "\\n";
foreach ([[$body . ' ', $headers], [$body, []], [$body, ['webhook-timestamp' => '1'] + $headers]] as [$one, $sent]) {
    try {
        PaymentHub::verifyReport($one, $sent, getenv('SECRET'));
    } catch (ReportError $error) {
        echo $error->getMessage(), "\\n";
    }
}
echo fileperms(glob(__DIR__ . '/payment-hub-*')[0]) & 0777, "\\n";
`,
  ],
  py: [
    'python3',
    `import json, os, sys
from client import HubError, PaymentHub, ReportError, verify_report
hub = PaymentHub(os.environ["HUB"], os.environ["API_KEY"])
order = json.loads(os.environ["ORDER"])
job = hub.create_payment_job(order, "one")
print("once" if hub.create_payment_job(order, "one")["paymentJob"] == job["paymentJob"] else "twice")
print(job["payUrl"], flush=True)
print(hub.wait_for(job, 60)["status"])
print(hub.refund(job, "5.00")["amount"], len(hub.refunds(job)))
try:
    hub.refund(job, "99.00")
except HubError as error:
    print(error.code, error.status)
held = hub.wait_for(os.environ["RESERVED"], 60)
print(held["amountAuthorized"], hub.capture(held, "5.00", True, idempotency_key="c")["amount"], len(hub.captures(held)))
print(hub.wait_for(held, 60)["amountReleased"], hub.release(held)["status"])
print(hub.cancel(hub.create_payment_job(order))["status"], hub.payment_methods("nl")["language"], flush=True)
body, headers = json.load(sys.stdin)
print(verify_report(body.encode(), headers, ["AAAA", os.environ["SECRET"]])["status"])
for one, sent in [(body + " ", headers), (body, {}), (body, {**headers, "webhook-timestamp": "1"})]:
    try:
        verify_report(one.encode(), sent, os.environ["SECRET"])
    except ReportError as error:
        print(error.code)
print(384)
`,
  ],
} as const

it.for(Object.entries(PROGRAMS))(
  'the client of one file in %s takes a payment',
  async ([name, [program, text]], { skip }) => {
    skip(!isInstalled(program))
    await writeFile(join(folder, `client.${name}`), await fetched(`/client.${name}`))
    await writeFile(join(folder, `program.${name}`), text)
    const { apiKey, signingSecret } = await openPos(hub)
    const order = orderOf(shop.url)
    const point = client.createHub({ baseUrl: hub.url, apiKey })
    const reserved = {
      ...order,
      order_number: 'A-8',
      payment_method: 'creditcard',
      capture: 'manual' as const,
    }
    const { paymentJob, payUrl: reserve } = await point.createPaymentJob(reserved)
    await next(await choose(reserve, 'paid'))
    const child = spawn(program, [join(folder, `program.${name}`)], {
      env: {
        ...process.env,
        HUB: hub.url,
        API_KEY: apiKey,
        SECRET: signingSecret,
        ORDER: JSON.stringify(order),
        RESERVED: paymentJob,
      },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const payUrl = await vi.waitFor(
      () => /http:\S+/.exec(said)?.[0] ?? Promise.reject(new Error(said)),
      20_000,
    )
    await next(await choose(payUrl, 'paid'))
    const [, job = ''] = /\/pay\/([0-9a-f-]+)/.exec(payUrl) ?? []
    const { headers, body } = await reportOf(job)
    child.stdin.end(JSON.stringify([body, headers]))
    await once(child, 'close')
    expect(said.split('\n').filter((line) => !line.startsWith('http'))).toEqual([
      'once',
      'SUCCESS',
      '5.00 1',
      'refund-too-much 422',
      '12.50 5.00 1',
      '7.50 SUCCESS',
      'CANCELLED nl',
      'SUCCESS',
      'signature-wrong',
      'signature-missing',
      'too-old',
      '384',
      '',
    ])
  },
)

it('the package exports the client as ./client', async () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, string> }
  const exported = (await import(join(PROJECT, exports['./client'] ?? ''))) as object
  expect(Object.keys(exported).toSorted()).toEqual(Object.keys(client).toSorted())
})
