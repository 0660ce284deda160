import { afterEach, describe, expect, it, vi } from 'vitest'
import { signingSecretOf } from '../../src/kit/signing-secret.ts'
import { UsageError } from '../../src/programs/usage-error.ts'

afterEach(() => void vi.unstubAllEnvs())

const SECRET = 'ab+/'.repeat(16)

describe('the signing secret', () => {
  it('comes from the environment', async () => {
    vi.stubEnv('HUB_SIGNING_SECRET', SECRET)
    expect(await signingSecretOf()).toBe(SECRET)
  })

  it.each([
    ['is not set', undefined, /HUB_SIGNING_SECRET/],
    ['has quotes around it', `"${SECRET}"`, /quotes/],
    ['ends with a new line', `${SECRET}\n`, /spaces/],
    ['is an API key', 'k'.repeat(160), /API key/],
    ['is too short', 'abc', /has 3/],
  ])('is refused, with a reason and without itself, if it %s', async (_, secret, reason) => {
    vi.stubEnv('HUB_SIGNING_SECRET', secret)
    const refused: unknown = await signingSecretOf().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(UsageError)
    expect(String(refused)).toMatch(reason)
    if (secret) expect(String(refused)).not.toContain(secret)
  })

  it('is never an argument', async () => {
    await expect(signingSecretOf(SECRET)).rejects.toThrow('standard input')
  })
})
