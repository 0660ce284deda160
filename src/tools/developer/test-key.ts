import { hubUrl } from '../hub-url.ts'
import { UsageError } from '../usage-error.ts'

/** A hub, and the API key of a point of sale in test mode there. The key is never printed. */
export type TestHub = { url: string; key: string }

export const KEY_FLAG = {
  key: {
    type: 'string',
    valueHint: 'API_KEY',
    description: 'the API key of a point of sale in test mode; HUB_API_KEY if not given',
  },
} as const

/** The hub that `HUB_URL` chooses, with the key of `--key` or `HUB_API_KEY`. Throws a UsageError where there is none. */
export function testHub(env: NodeJS.ProcessEnv, given: string | undefined): TestHub {
  const key = given ?? env['HUB_API_KEY']
  if (key === undefined) {
    throw new UsageError(
      'Set HUB_API_KEY to the API key of a point of sale in test mode. `npx hub pos create --name "Test"` makes one.',
    )
  }
  if (!/^[0-9A-Za-z]{160}$/.test(key)) {
    throw new UsageError('The API key must have 160 letters and digits, as `npx hub pos create` shows it.')
  }
  return { url: hubUrl(env, 'the API key'), key }
}
