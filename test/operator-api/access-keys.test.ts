import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accessKey } from '../../src/operator-api/access-keys.ts'
import type { Call } from '../../src/psp/http-client.ts'
import { accessTeam } from '../support/access-team.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let team: Awaited<ReturnType<typeof accessTeam>>
let call: Call
const START = Date.now()
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  team = await accessTeam(`keys-${crypto.randomUUID()}`)
  call = async (_, path) => {
    const response = await fetch(`https://${team.team}.cloudflareaccess.com${path}`)
    if (response.status >= 500) return { is: 'unavailable', message: '' }
    return { is: 'answered', status: response.status, body: await response.json() }
  }
})
afterEach(() => vi.restoreAllMocks())

function keyAt(id: string, after: number) {
  return accessKey(team.team, id, call, START + after)
}
const isKey = expect.any(CryptoKey) as CryptoKey
function down() {
  return new Response(null, { status: 503 })
}

describe('the keys of a team', () => {
  it('are asked for once an hour', async () => {
    for (const after of [0, 1, HOUR - 1]) expect(await keyAt('k1', after)).toEqual(isKey)
    expect(team.asked.length).toBe(1)
    expect(await keyAt('k1', HOUR)).toEqual(isKey)
    expect(team.asked.length).toBe(2)
  })

  it('are asked for again when one has come, but once a minute at most', async () => {
    expect(await keyAt('k1', 0)).toEqual(isKey)
    team.keys = [await team.newKey('k2')]
    for (const after of [1, MINUTE - 1]) expect(await keyAt('k2', after)).toBeNull()
    expect(team.asked.length).toBe(1)
    expect(await keyAt('k2', MINUTE)).toEqual(isKey)
    expect(await keyAt('nobody', MINUTE + 1)).toBeNull()
    expect(team.asked.length).toBe(2)
  })

  it('do not hold once the team has taken them away, an hour later at most', async () => {
    expect(await keyAt('k1', 0)).toEqual(isKey)
    team.keys = [await team.newKey('k2')]
    expect(await keyAt('k1', HOUR)).toBeNull()
  })

  it('hold for a day when the team cannot be reached, and no longer', async () => {
    expect(await keyAt('k1', 0)).toEqual(isKey)
    team.fault = down
    for (const after of [HOUR, HOUR + 1, 24 * HOUR - 1]) expect(await keyAt('k1', after)).toEqual(isKey)
    expect(team.asked.length).toBe(3)
    expect(await keyAt('k1', 25 * HOUR)).toBe('unavailable')
  })

  it('are not there when the team has never been reached, and it is asked every five seconds', async () => {
    team.fault = down
    for (const after of [0, 1, 4999]) expect(await keyAt('k1', after)).toBe('unavailable')
    expect(team.asked.length).toBe(1)
    team.fault = null
    expect(await keyAt('k1', 5000)).toEqual(isKey)
  })

  it('may have one that is not known here, when they cannot be asked for', async () => {
    expect(await keyAt('k1', 0)).toEqual(isKey)
    team.fault = down
    for (const after of [MINUTE, MINUTE + 1]) expect(await keyAt('k2', after)).toBe('unavailable')
    expect(team.asked.length).toBe(2)
  })

  it.each([
    ['no key set', () => Response.json({ error: 'no such team' })],
    ['an empty one', () => Response.json({ keys: [] })],
    ['another answer', () => Response.json({ keys: [] }, { status: 404 })],
    [
      'keys of other kinds alone',
      () => Response.json({ keys: [{ kid: 'k1', kty: 'oct', k: 'AAAA' }, null, 7] }),
    ],
    [
      'a key that is too short',
      () => Response.json({ keys: [{ kid: 'k1', kty: 'RSA', n: 'AAAA', e: 'AQAB' }] }),
    ],
  ])('are not there when the team answers with %s', async (_, fault) => {
    team.fault = fault
    expect(await keyAt('k1', 0)).toBe('unavailable')
  })

  it('are asked for by one request while several wait for a new one', async () => {
    expect(await keyAt('k1', 0)).toEqual(isKey)
    team.keys = [...team.keys, await team.newKey('k2')]
    const answers = await Promise.all(['k2', 'k2', 'k1'].map((id) => keyAt(id, MINUTE)))
    expect(answers).toEqual([isKey, 'unavailable', isKey])
    expect(team.asked.length).toBe(2)
  })
})
