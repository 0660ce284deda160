import type { Profile } from './profile.ts'

/**
 * The number of the secret that signs answers, reports and returns now (ms): the newest, or the one before it while a POS
 * that knows one secret at a time changes over. `webhook-signature` is made with both, and needs no such time.
 */
export function signingVersionAt(
  { signingVersion, formerSecretUntil = 0 }: Pick<Profile, 'signingVersion' | 'formerSecretUntil'>,
  now: number,
): number {
  return signingVersion > 1 && now < formerSecretUntil ? signingVersion - 1 : signingVersion
}
