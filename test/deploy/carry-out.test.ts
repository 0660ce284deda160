import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Wrangler, carryOut, readTargets } from '../../src/deploy/carry-out.ts'
import type { Plan } from '../../src/deploy/deploy-plan.ts'

/** A wrangler that records its commands and fails at these. */
function wranglerThatFailsAt(...failing: string[]) {
  const log: string[] = []
  const run: Wrangler = (args, _, env = {}) => {
    const words = args.join(' ')
    log.push(words)
    const report = env['WRANGLER_OUTPUT_FILE_PATH']
    if (report)
      writeFileSync(report, `${JSON.stringify({ type: 'deploy', targets: ['https://hub.example.com'] })}\n`)
    const fails = failing.some((command) => words.startsWith(command))
    return Promise.resolve({ code: fails ? 1 : 0, output: '', errors: fails ? 'why it failed' : '' })
  }
  return { log, run }
}

const firstSettings = () => Promise.resolve(['--config', 'first.json'])

const PLAN: Plan = {
  worker: 'payment-hub',
  isFirst: false,
  namespaces: [{ name: 'payment-hub-tokens', isMade: false }],
  databases: [
    { binding: 'DB', name: 'payment-hub', isMade: true },
    { binding: 'INDEX_1', name: 'payment-hub-index-1', isMade: false },
  ],
  jurisdiction: '',
  queues: [],
  secrets: { from: 'account' },
}

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

describe('a deploy', () => {
  it('makes what is missing, migrates every database, and only then uploads', async () => {
    const { log, run } = wranglerThatFailsAt()
    expect(await carryOut(PLAN, run, undefined, firstSettings)).toEqual({
      ok: true,
      value: ['https://hub.example.com'],
    })
    expect(log).toEqual([
      'd1 create payment-hub',
      'd1 migrations apply DB --remote',
      'd1 migrations apply INDEX_1 --remote',
      'deploy',
    ])
  })

  it.each([
    ['', true, ['kv namespace create payment-hub-tokens']],
    ['eu', true, ['kv namespace create payment-hub-tokens --jurisdiction eu']],
    ['eu', false, []],
  ])(
    'names the namespaces of a first upload, in the jurisdiction "%s", made now: %s',
    async (jurisdiction, isMade, made) => {
      const { log, run } = wranglerThatFailsAt()
      const namespaces = [{ name: 'payment-hub-tokens', isMade }]
      await carryOut(
        { ...PLAN, databases: [], jurisdiction, isFirst: true, namespaces },
        run,
        undefined,
        firstSettings,
      )
      expect(log).toEqual([...made, 'deploy --config first.json'])
    },
  )

  it.each([
    ['eu', undefined, 'd1 create payment-hub --jurisdiction eu'],
    ['', 'weur', 'd1 create payment-hub --location weur'],
  ])(
    'makes databases in the jurisdiction "%s" and at the location %s',
    async (jurisdiction, location, first) => {
      const { log, run } = wranglerThatFailsAt()
      await carryOut({ ...PLAN, jurisdiction }, run, location, firstSettings)
      expect(log[0]).toBe(first)
    },
  )

  it.each([
    ['d1 create', /^why it failed\nThe database payment-hub was not made, and nothing was deployed/, 1],
    ['d1 migrations apply INDEX_1', /^why it failed\nA migration of payment-hub-index-1 failed/, 3],
    ['deploy', /^The Worker payment-hub was not deployed\. The reason is above/, 4],
  ])('stops where %s fails, and says what is done and what to do', async (command, why, steps) => {
    const { log, run } = wranglerThatFailsAt(command)
    const outcome = await carryOut(PLAN, run, undefined, firstSettings)
    expect(outcome).toEqual({ ok: false, error: expect.stringMatching(why) as string })
    expect(outcome.ok ? '' : outcome.error).toMatch(/run the same command again/i)
    expect(log).toHaveLength(steps)
  })
})

describe('with files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'payment-hub-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

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
    const file = join(folder, 'report.ndjson')
    const lines = [
      { type: 'wrangler-session', version: 1 },
      { type: 'deploy', version: 1, targets },
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(readTargets(file)).toEqual(urls)
  })

  it('secrets are uploaded in a file with only the chosen ones, which is deleted afterwards', async () => {
    const path = join(folder, 'secrets')
    writeFileSync(path, 'OPERATOR_TOKEN=a\nSIGNING_ROOT=b\n')
    const uploaded: { file: string; content: unknown }[] = []
    const run: Wrangler = (args, _, env = {}) => {
      const file = args[args.indexOf('--secrets-file') + 1] ?? ''
      if (args[0] === 'deploy') {
        uploaded.push({ file, content: JSON.parse(readFileSync(file, 'utf8')) })
        writeFileSync(env['WRANGLER_OUTPUT_FILE_PATH'] ?? '', '')
      }
      return Promise.resolve({ code: 0, output: '', errors: '' })
    }
    const part = { isMade: false, names: ['SIGNING_ROOT'], replaced: [] }
    await carryOut({ ...PLAN, secrets: { from: 'file', path, ...part } }, run, undefined, firstSettings)
    expect(uploaded.map(({ content }) => content)).toEqual([{ SIGNING_ROOT: 'b' }])
    expect(uploaded.map(({ file }) => existsSync(file))).toEqual([false])
  })
})
