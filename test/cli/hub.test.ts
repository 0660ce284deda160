import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/cli/wrangler.ts'
import { startThrowawayHub } from '../../src/cli/throwaway-hub.ts'

let hub: Awaited<ReturnType<typeof startThrowawayHub>>
beforeAll(async () => {
  hub = await startThrowawayHub()
})
afterAll(() => hub.stop())

const run = (words: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/cli/hub.ts', ...words],
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

  it.each([
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
