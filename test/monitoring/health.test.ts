import { env, exports } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { version } from '../../package.json'
import { VERSION } from '../../src/platform/version.ts'
import { NEWEST_MIGRATION, newestMigrationOf } from '../../src/monitoring/hub-parts.ts'

function ask(method: string, init: RequestInit = {}) {
  return exports.default.fetch(new Request('https://hub.test/healthz', { ...init, method }))
}

it('the health check says that the hub answers, and its release', async () => {
  const response = await ask('GET')
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok', version: VERSION }])
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('a HEAD gets the same without a body', async () => {
  const response = await ask('HEAD')
  expect([response.status, await response.text()]).toEqual([200, ''])
})

it('it cannot be written to', async () => {
  const response = await ask('POST')
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  await response.body?.cancel()
})

it('it answers anyone, and reads storage at most once a minute', async () => {
  await (await ask('GET')).body?.cancel()
  const reads = [
    vi.spyOn(env.TOKENS, 'get'),
    vi.spyOn(env.DB, 'prepare'),
    vi.spyOn(env.PAYMENT_JOB, 'getByName'),
  ]
  try {
    const response = await ask('GET', { headers: { authorization: 'Bearer wrong' } })
    expect(response.status).toBe(200)
    await response.body?.cancel()
    for (const read of reads) expect(read).not.toHaveBeenCalled()
  } finally {
    for (const read of reads) read.mockRestore()
  }
})

it('the newest migration that the hub knows is the newest one', async () => {
  expect(NEWEST_MIGRATION).toBe(env.TEST_MIGRATIONS.at(-1)?.name)
  expect(await newestMigrationOf(env.DB)).toBe(NEWEST_MIGRATION)
})

it('the release that the hub shows is that of package.json', () => {
  expect(VERSION).toBe(version)
})
