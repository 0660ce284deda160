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
  throw new UsageError(`The signing secret has 64 characters of base64. ${whatItIs(secret)}`)
}

function whatItIs(secret: string): string {
  const bare = secret.replaceAll(/^["'\s]+|["'\s]+$/g, '')
  if (bare.length === 160) return 'This is an API key.'
  return bare.length === 64 ? 'This one has quotes or spaces around it.' : `This one has ${secret.length}.`
}
