import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/cli/wrangler.ts'
import { startThrowawayHub } from '../../src/cli/local/throwaway-hub.ts'
import { openPos } from './clients.ts'

let hub: Awaited<ReturnType<typeof startThrowawayHub>>
beforeAll(async () => {
  hub = await startThrowawayHub()
})
afterAll(() => hub.stop())

const run = (words: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/cli/operator/hub.ts', ...words],
      {
        cwd: PROJECT,
        env: { ...process.env, HUB_URL: hub.url, OPERATOR_TOKEN: hub.secrets['OPERATOR_TOKEN'], ...env },
      },
      (_, out, err) => resolve({ code: child.exitCode ?? 1, out, err }),
    )
  })

describe('npm run hub', () => {
  it('pos create --json prints one JSON value with the key and the signing secret', async () => {
    const { code, out } = await run(['pos', 'create', '--name', 'Shop 1', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'Shop 1', mode: 'test' })
    expect(Object.keys(JSON.parse(out) as object)).toEqual(
      expect.arrayContaining(['id', 'apiKey', 'signingSecret']),
    )
  })

  it('pos create --live makes a live point of sale, which pos list shows', async () => {
    await run(['pos', 'create', '--name', 'Live shop', '--live'])
    expect((await run(['pos', 'list'])).out).toMatch(/Live shop +live/)
  })

  it('pos disable stops a key', async () => {
    const { out } = await run(['pos', 'create', '--name', 'Closing', '--json'])
    const { id, apiKey } = JSON.parse(out) as { id: string; apiKey: string }
    expect((await run(['pos', 'disable', id])).out).toContain('is disabled')
    const answer = await fetch(`${hub.url}/v1/guardian`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(answer.status).toBe(401)
  })

  it('job list finds jobs, says how to go on, and gives --json as an array', async () => {
    const shop = await openPos(hub.url, hub.secrets['OPERATOR_TOKEN'])
    for (const number of [1, 2]) await shop.create('http://localhost:8080', '/report', number)
    const listed = async (...words: string[]) => (await run(['job', 'list', ...words])).out
    await expect.poll(() => listed('--from', '2026-01-31'), { timeout: 10_000 }).toMatch(/A-2.*\n.*A-1/)
    const first = await listed('--limit', '1')
    expect(first).toMatch(/A-2 +PENDING +EUR 12.50 +0.00 +ideal/)
    const [, after = ''] = /A-2[^]*the same again with --after (\S+)/.exec(first) ?? []
    const second = await listed('--limit', '1', '--after', after)
    expect(second).toContain('A-1')
    expect(second).not.toContain('--after')
    const found = JSON.parse(await listed('--order', 'A-1', '--json')) as [{ pos: string }]
    expect(found).toMatchObject([{ orderNumber: 'A-1', amount: '12.50' }])
    expect(await listed('--pos', found[0].pos, '--to', '2026-01-31')).toContain('no such payment jobs')
  })

  it.each([
    [['job', 'list', '--limit', 'all'], 1, 'limit must be a number from 1 to 200'],
    [['job', 'list', '--from', 'yesterday'], 1, 'yesterday is no time'],
    [['frob'], 2, 'no command "frob"'],
    [['pos', 'create'], 1, '--name "Shop 1"'],
    [['pos', 'create', '--nam', 'x'], 1, "Unknown option '--nam'"],
    [['pos', 'create', '--name', ''], 1, 'name must not be empty'],
    [['pos', 'disable'], 1, 'pos disable ID'],
    [['pos', 'disable', 'nobody'], 1, 'no point of sale nobody'],
  ])('says what is wrong with %j', async (words, expected, message) => {
    const { code, err } = await run(words)
    expect(code).toBe(expected)
    expect(err).toContain(message)
  })

  it('says when no hub answers, when the token is refused, and when it is missing', async () => {
    expect((await run(['pos', 'list'], { HUB_URL: 'http://localhost:1' })).err).toContain('No hub answers')
    expect((await run(['pos', 'list'], { OPERATOR_TOKEN: 'wrong' })).err).toContain(
      'refuses the OPERATOR_TOKEN',
    )
    expect((await run(['pos', 'list'], { HUB_URL: 'hub' })).err).toContain('HUB_URL must be')
  })
})
