import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { runHub } from '../cli/run-hub.ts'
import { openPos } from './clients.ts'

const hub = inject('hub')
afterAll(() => void vi.unstubAllEnvs())

async function run(words: string[], changes: Record<string, string> = {}) {
  const env = { HUB_URL: hub.url, OPERATOR_TOKEN: hub.secrets['OPERATOR_TOKEN'], ...changes }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const { code, out, err } = await runHub(words)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('npm run hub', () => {
  it('job list finds jobs, and says how to go on; with --json as `next`', async () => {
    const shop = await openPos(hub)
    for (const _ of [1, 2]) await shop.create('http://localhost:8080')
    const listed = async (...words: string[]) => (await run(['job', 'list', '--pos', shop.id, ...words])).out
    await expect
      .poll(() => listed('--from', '2026-01-31'), { timeout: 15_000, interval: 1000 })
      .toMatch(/A-2.*\n.*A-1/)
    const first = await listed('--limit', '1')
    expect(first).toMatch(/A-2 +PENDING +EUR 12.50 +0.00 +ideal/)
    const [, after = ''] = /A-2[^]*repeat the command with --after (\S+)/.exec(first) ?? []
    const second = await listed('--limit', '1', '--after', after)
    expect(second).toContain('A-1')
    expect(second).not.toContain('--after')
    type Page = { jobs: [{ orderNumber: string; amount: string }]; next: string | null }
    const page = async (...words: string[]) => JSON.parse(await listed('--json', ...words)) as Page
    const newest = await page('--limit', '1')
    expect(newest).toMatchObject({ jobs: [{ orderNumber: 'A-2', amount: '12.50' }], next: after })
    const older = await page('--limit', '1', '--after', newest.next ?? '')
    expect(older).toMatchObject({ jobs: [{ orderNumber: 'A-1' }], next: null })
    expect(await listed('--to', '2026-01-31')).toContain('No payment jobs match')
  })

  it('says when no hub answers, when the token is refused, and when it is missing', async () => {
    expect((await run(['pos', 'list'], { HUB_URL: 'http://localhost:1' })).err).toContain('No hub answers')
    expect((await run(['pos', 'list'], { OPERATOR_TOKEN: 'wrong' })).err).toContain(
      'refuses the OPERATOR_TOKEN',
    )
    expect((await run(['pos', 'list'], { HUB_URL: 'hub' })).err).toContain('HUB_URL must be')
  })
})

/** The connection must end within this time (ms) after the complete answer. It once took 5 s. */
const AT_ONCE = 3000

it.each([
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n',
  'POST /v2/paymentjobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
])('the local hub ends the connection with its answer, where PHP reads to the end: %j', async (request) => {
  const socket = connect(Number(new URL(hub.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (part: Buffer) => (answer += part.toString())).write(request)
  const isWhole = () => {
    const [, length = 'none', body = ''] = /content-length: (\d+)[^]*?\r\n\r\n([^]*)/i.exec(answer) ?? []
    return body.length === Number(length)
  }
  const ended = once(socket, 'end')
  await expect.poll(isWhole, { timeout: 10_000, interval: 10 }).toBe(true)
  const late = new Promise((resolve) => setTimeout(resolve, AT_ONCE, 'late'))
  expect(await Promise.race([ended, late])).toEqual([])
  socket.destroy()
})
