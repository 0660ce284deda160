import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')

/** What a developer writes with the generated types. */
const PROGRAM = `
import type { components, operations, paths, webhooks } from './hub.ts'

type Answer<Operation extends { responses: object }, Status extends keyof Operation['responses']> =
  Operation['responses'][Status] extends { content: { 'application/json': infer Body } } ? Body : never

const order: components['schemas']['NewPaymentJob'] = {
  timestamp: 1790000000,
  currency: 'EUR',
  amount: '12.50',
  return_url: 'https://shop.example.com/thanks',
  report_url: 'https://shop.example.com/report',
  payment_method: 'ideal',
  order_id: 1001,
  order_number: 'A-1001',
  language: 'nl-NL',
  ip_address: '203.0.113.7',
}

export const pay = async (hub: string, token: string): Promise<string> => {
  const path: keyof paths = '/v2/paymentjobs'
  const key: NonNullable<operations['createPaymentJob']['parameters']['header']>['Idempotency-Key'] = 'order-1001'
  const response = await fetch(hub + path, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(order),
  })
  if (response.status !== 201) {
    const { code, detail, errors }: components['schemas']['Problem'] = await response.json()
    throw new Error([code, detail, ...(errors ?? []).map(({ field }) => field)].join(' '))
  }
  const job: Answer<operations['createPaymentJob'], 201> = await response.json()
  return job.status === 'FAILURE' ? (job.error ?? '') : job.payUrl
}

export const take = (report: webhooks['report']['post']['requestBody']['content']['application/json']): string =>
  [report.status satisfies 'PENDING' | 'SUCCESS' | 'FAILURE' | 'CANCELLED' | 'EXPIRED', report.payments.steps[0]?.action].join()

export const refunds = ({ refunds }: Answer<operations['listRefunds'], 200>): string[] => refunds.map(({ amount }) => amount)

export const events: components['schemas']['PaymentJobEvents'] =
  '' satisfies operations['getPaymentJob']['responses'][200]['content']['text/event-stream']

// @ts-expect-error -- an order without its amount is no order
export const incomplete: components['schemas']['NewPaymentJob'] = { currency: 'EUR' }

// @ts-expect-error -- the amount of a refund is no flag
export const wrong: components['schemas']['NewRefund'] = { amount: true }
`

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
    types: [],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
  },
}

describe('a client that openapi-typescript generates from the document', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-client-'))
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'generate-client.ts')], {
      cwd: ROOT,
      maxBuffer: 10_000_000,
    })
    await Promise.all([
      writeFile(join(folder, 'hub.ts'), stdout),
      writeFile(join(folder, 'program.ts'), PROGRAM),
      writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG)),
    ])
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('compiles with a program that uses it, as strictly as TypeScript can', async () => {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const compiled = await run(process.execPath, [compiler, '--project', folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(compiled).toBe('')
  })
})
