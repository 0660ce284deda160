import { join } from 'node:path'
import { type Profile, chosenHub, hubUrl, isHere } from '../programs/chosen-hub.ts'
import { LOCAL_SECRETS, readSecrets } from '../programs/secrets.ts'
import { UsageError } from '../programs/usage-error.ts'
import { PROJECT } from '../programs/wrangler.ts'

/**
 * The hub that an operator uses. `credentials` are headers, `token` is the token's name in
 * messages.
 */
export type OperatorsHub = { url: string; credentials: Record<string, string>; token: string }

export function operatorsHub(profile: Profile & { name?: string } = chosenHub(process.env)): OperatorsHub {
  const url = hubUrl(profile.url, 'the operator token')
  const { id, secret } = profile.access ?? {}
  return {
    url,
    token: profile.name === undefined ? 'the OPERATOR_TOKEN' : `the token of the profile ${profile.name}`,
    credentials: {
      authorization: `Bearer ${inHeader('The operator token', profile.token || localToken(url))}`,
      ...(id && secret
        ? {
            'cf-access-client-id': inHeader('CF_ACCESS_CLIENT_ID', id),
            'cf-access-client-secret': inHeader('CF_ACCESS_CLIENT_SECRET', secret),
          }
        : {}),
    },
  }
}

/** Returns a secret. Throws a UsageError if no header can carry it, such as two pasted lines. */
function inHeader(name: string, secret: string): string {
  if (/^[!-~]+$/.test(secret.trim())) return secret
  throw new UsageError(`${name} must be one word of visible ASCII characters, on one line.`)
}

function localToken(url: string): string {
  const token = readSecrets(join(PROJECT, LOCAL_SECRETS))['OPERATOR_TOKEN']
  if (!isHere(url)) throw new Error(`OPERATOR_TOKEN is not set: the hub at ${url} asks for its own.`)
  if (!token) throw new Error(`There is no local hub yet: start one with \`npm run dev\`.`)
  return token
}
