import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type * as Client from '../../src/client/client.ts'
import { openShop } from '../support/shop.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { read } from '../docs/documents.ts'
import { choose, next } from './clients.ts'

const hub = inject('hub')
let folder: string
let client: typeof Client
let shop: Awaited<ReturnType<typeof openShop>>

async function fetched(path: string): Promise<string> {
  return (await fetch(hub.url + path)).text()
}

beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-client-'))
  for (const file of ['client.js', 'client.d.ts'])
    await writeFile(join(folder, file), await fetched(`/${file}`))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  client = (await import(pathToFileURL(join(folder, 'client.js')).href)) as typeof Client
})
afterAll(async () => {
  shop.close()
  await rm(folder, { recursive: true, force: true })
})

async function makePos() {
  const made = await fetch(`${hub.url}/operator/v1/pos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hub.secrets['OPERATOR_TOKEN']}`, 'content-type': 'application/json' },
    body: '{ "name": "Shop 1" }',
  })
  return (await made.json()) as { apiKey: string; signingSecret: string }
}
function orderAt(url: string) {
  return {
    currency: 'EUR',
    amount: '12.50',
    return_url: `${url}/thanks`,
    report_url: `${url}/report`,
    payment_method: 'ideal',
    order_id: 1001,
    order_number: 'A-1001',
    language: 'nl',
    ip_address: '203.0.113.7',
  }
}

describe('the client that the hub serves, in Node', () => {
  it('takes a payment: it waits, watches, and verifies the report', async () => {
    const { apiKey, signingSecret } = await makePos()
    const point = client.createHub({ baseUrl: hub.url, apiKey })
    const job = await point.createPaymentJob(orderAt(shop.url))
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
    expect(await client.verifyReport(await shop.report, signingSecret)).toMatchObject({
      paymentJob: job.paymentJob,
      status: 'SUCCESS',
    })
    await expect(client.verifyReport(await shop.report, 'x'.repeat(64))).rejects.toMatchObject({
      code: 'signature-wrong',
    })
  })

  it('tells by a code that nothing listens at its address', async () => {
    const point = client.createHub({ baseUrl: 'http://localhost:9', apiKey: 'x'.repeat(160), timeout: 1000 })
    await expect(point.paymentMethods()).rejects.toBeInstanceOf(client.HubError)
    await expect(point.paymentMethods()).rejects.toMatchObject({ status: null })
  })
})

/**
 * Compiles a program that stands beside the served client, with nothing installed. Gives what
 * TypeScript complains of.
 */
async function compile(name: string, source: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), source)
  const words = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
    '--lib',
  ]
  const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((resolve) => {
    const args = [compiler, ...words, 'es2022,dom,dom.iterable,dom.asynciterable', join(folder, `${name}.ts`)]
    execFile(process.execPath, args, { cwd: folder }, (_, out, err) => resolve(out + err))
  })
}

describe('the types that the hub serves', () => {
  it('are enough for a strict program with nothing else installed, and know what an answer has', async () => {
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
    expect(await compile('program', program)).toBe('')
  })

  it('refuse what the hub would refuse, and a status that there is not', async () => {
    const program = `
      import { createHub } from './client.js'
      const hub = createHub({ baseUrl: 'https://hub.example.com' })
      await hub.createPaymentJob({ amount: '1.00' })
      const paid = (await hub.getPaymentJob('x')).status === 'PAID'
      await hub.listPaymentJobs({ status: 'paid' })`
    const complaints = await compile('wrong', program)
    for (const line of [3, 4, 5, 6]) expect(complaints).toContain(`wrong.ts(${line},`)
  })

  it('fit the programs of the page about the client', async () => {
    const page = read('docs/pos/client.md')
    const [payment = '', failure = '', report = ''] = [...page.matchAll(/\n```ts\n([^]*?)\n```\n/g)].map(
      ([, code]) => code ?? '',
    )
    const node = 'declare const process: { env: Record<string, string | undefined> }\n'
    expect(await compile('payment', `${node}${payment}\n${failure}`)).toBe('')
    expect(await compile('report', `${node}${report}`)).toBe('')
  })
})

it('the package exports the client as ./client', async () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, string> }
  const exported = (await import(join(PROJECT, exports['./client'] ?? ''))) as object
  expect(Object.keys(exported).toSorted()).toEqual(Object.keys(client).toSorted())
})
