import { option } from '../programs/program.ts'
import { readSecret } from '../programs/prompt.ts'
import { UsageError } from '../programs/usage-error.ts'

export const SECRET_FLAG = {
  secret: option('-', 'read the signing secret from standard input; else HUB_SIGNING_SECRET has it'),
}

/**
 * Returns the signing secret of `HUB_SIGNING_SECRET` or, after `--secret -`, of standard input. Throws a
 * UsageError for a text that is no signing secret.
 */
export async function signingSecretOf(given?: string): Promise<string> {
  if (given !== undefined && given !== '-') {
    throw new UsageError(
      'Others on this machine can read a secret among the arguments. Set HUB_SIGNING_SECRET, or pass it by ' +
        'standard input: --secret - < FILE',
    )
  }
  const secret = given === '-' ? await readSecret('Signing secret') : process.env['HUB_SIGNING_SECRET']
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
