import { chosenHub, hubUrl } from '../programs/chosen-hub.ts'
import { option } from '../programs/program.ts'
import { givenSecret } from '../programs/prompt.ts'
import { UsageError } from '../programs/usage-error.ts'
import { whatItIs } from './signing-secret.ts'

export type TestHub = { url: string; key: string }

export const KEY_FLAG = {
  key: option('-', 'read the API key of a shop in test mode from standard input; else HUB_API_KEY has it'),
}

/**
 * Returns the hub that a developer uses, with the key of `HUB_API_KEY` or, after `--key -`, of
 * standard input. Throws a UsageError without one.
 */
export async function developersHub(given: string | undefined): Promise<TestHub> {
  const key = await givenSecret('API key', { flag: 'key', given, variable: 'HUB_API_KEY' })
  if (key === undefined) {
    throw new UsageError(
      'Set HUB_API_KEY to the API key of a point of sale in test mode. The operator of the hub makes one: ' +
        '`npx hub pos create --name "Test"`.',
    )
  }
  if (!/^[0-9A-Za-z]{160}$/.test(key)) {
    throw new UsageError(`The API key must have 160 letters and digits. ${whatItIs(key, 160)}`)
  }
  return { url: hubUrl(chosenHub(process.env).url, 'the API key'), key }
}
