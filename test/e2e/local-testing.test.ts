import { execFile, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { PAYMENTS, SHORT_NAMES } from '../../src/kit/scenarios.ts'
import { blocksOf, codesOf, read, rowsUnder } from '../docs/documents.ts'
import { openPos } from './clients.ts'
import { startHubProgram } from './hub-program.ts'
import { runHub } from '../cli/run-hub.ts'
import { openReceiver } from './signed-receiver.ts'

const hub = inject('hub')
const page = read('docs/pos/local-testing.md')
const lines = blocksOf(page, 'sh').join('').replaceAll('\\\n', ' ').split('\n')

let pos: Awaited<ReturnType<typeof openPos>>
let shop: Awaited<ReturnType<typeof openReceiver>>
beforeAll(async () => {
  pos = await openPos(hub)
  vi.stubEnv('HUB_URL', hub.url)
  vi.stubEnv('HUB_API_KEY', pos.apiKey)
  shop = await openReceiver(pos.signingSecret)
})
afterAll(() => {
  vi.unstubAllEnvs()
  return shop.stop()
})

/** A command from the page, with this test's receiver instead of the reader's. */
function wordsOf(line: string): string[] {
  return line.replaceAll('http://localhost:3000/report', shop.url).split(' ').slice(2)
}
function start(line: string) {
  return startHubProgram(wordsOf(line), { HUB_URL: hub.url, HUB_API_KEY: pos.apiKey })
}

function untilConnected(program: ReturnType<typeof start>) {
  return expect.poll(() => program.out().join('\n') + program.err(), { timeout: 30_000 }).toContain('Ctrl-C')
}

function commands(word: string) {
  return lines.filter((line) => line.startsWith(`node package/kit.js ${word}`))
}

describe('docs/pos/local-testing.md', () => {
  it('has commands of both programs, names scenarios with what they do, and each short name', () => {
    expect([commands('listen').length, commands('trigger').length]).toEqual([5, 4])
    const rows = rowsUnder(page, '## A whole payment at once').map(([name = '', does]) => [
      codesOf(name)[0],
      does,
    ])
    expect(rows.length).toBeGreaterThan(10)
    for (const [name = '', does] of rows) expect([name, PAYMENTS[name]?.does]).toEqual([name, does])
    for (const name of Object.keys(SHORT_NAMES)) expect(page).toContain(`\`${name}\``)
  })

  it.each(commands('listen'))('%s listens until it is ended', async (line) => {
    const program = start(line)
    await untilConnected(program)
    expect([await program.stop('SIGINT'), program.err()]).toEqual([0, ''])
  })

  it('has triggers that all end well while its first command listens', async () => {
    const listening = start(commands('listen')[0] ?? '')
    await untilConnected(listening)
    for (const line of commands('trigger')) {
      const { code, err } = await runHub(wordsOf(line))
      expect([line, code, err]).toEqual([line, 0, []])
    }
    await listening.stop()
    expect(shop.refused).toEqual([])
    expect(shop.received.length).toBeGreaterThanOrEqual(6)
  }, 180_000)

  it.skipIf(spawnSync('curl', ['--version']).status !== 0)('has a curl that lets days pass', async () => {
    const order: unknown = JSON.parse(
      blocksOf(read('docs/pos/orders.md'), 'json').find((text) => text.includes('"return_url"')) ?? '',
    )
    const authorization = `Bearer ${pos.apiKey}`
    const created = await fetch(`${hub.url}/v2/paymentjobs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    const { paymentJob } = (await created.json()) as { paymentJob: string }
    const curl = lines.find((line) => line.startsWith('curl')) ?? ''
    const out = await new Promise<string>((resolve, reject) => {
      execFile(
        'bash',
        ['-c', curl.replaceAll('https://hub.example.com', hub.url)],
        { env: { ...process.env, HUB_API_KEY: pos.apiKey, JOB: paymentJob } },
        (error, text) => (error ? reject(error) : resolve(text)),
      )
    })
    expect(JSON.parse(out)).toMatchObject({ paymentJob, status: 'EXPIRED' })
  })
})
