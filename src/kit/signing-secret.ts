import { option } from '../programs/program.ts'
import { givenSecret } from '../programs/prompt.ts'
import { UsageError } from '../programs/usage-error.ts'

export const SECRET_FLAG = {
  secret: option('-', 'read the signing secret from standard input; else HUB_SIGNING_SECRET has it'),
}

/**
 * Returns the signing secret of `HUB_SIGNING_SECRET` or, after `--secret -`, of standard input. Throws a
 * UsageError for a text that is no signing secret.
 */
export async function signingSecretOf(given?: string): Promise<string> {
  const place = { flag: 'secret', given, variable: 'HUB_SIGNING_SECRET' }
  const secret = await givenSecret('Signing secret', place)
  if (!secret) {
    throw new UsageError(
      'Set HUB_SIGNING_SECRET to the signing secret of the point of sale, which its operator has shown you.',
    )
  }
  if (/^[0-9A-Za-z+/]{64}$/.test(secret)) return secret
  throw new UsageError(`The signing secret has 64 characters of base64. ${whatItIs(secret, 64)}`)
}

const NAMES: Readonly<Record<number, string>> = { 64: 'a signing secret', 160: 'an API key' }

/** Says what a text is that is no key or secret of so many characters. A terminal does not show a carriage return. */
export function whatItIs(given: string, length: 64 | 160): string {
  const bare = given.replaceAll(/^["'\s\uFEFF]+|["'\s\uFEFF]+$/g, '')
  if (bare.length === length && bare !== given)
    return 'This one has quotes, spaces or a line end (of Windows) around it.'
  const name = NAMES[bare.length]
  return name && bare.length !== length ? `This is ${name}.` : `This one has ${given.length}.`
}
