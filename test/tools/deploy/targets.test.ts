import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTargets } from '../../../src/tools/deploy/carry-out.ts'

function targetsOf(...targets: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'payment-hub-targets-'))
  try {
    const file = join(folder, 'report.ndjson')
    const lines = [
      { type: 'wrangler-session', version: 1 },
      { type: 'deploy', version: 1, targets },
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return readTargets(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it.each([
  [
    ['https://payment-hub.shops.workers.dev', 'schedule: 17 * * * *', 'Producer for payment-hub-copies'],
    ['https://payment-hub.shops.workers.dev'],
  ],
  [
    ['https://payment-hub.shops.workers.dev', 'pay.example.com (custom domain)'],
    ['https://pay.example.com', 'https://payment-hub.shops.workers.dev'],
  ],
  [['pay.example.com (custom domain - zone name: example.com)'], ['https://pay.example.com']],
  [['example.com/pay/* (zone name: example.com)', 'schedule: 17 * * * *'], []],
])('of the targets %j the hub is at %j', (targets, urls) => {
  expect(targetsOf(...targets)).toEqual(urls)
})
