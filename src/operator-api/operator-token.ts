import { equalInConstantTime, sha256 } from '../platform/crypto/hash.ts'
import type { Operator } from '../contract/operator.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { liveOperatorToken } from '../registry/operator-tokens.ts'
import { randomLetters } from './api-key.ts'

/** The beginning makes a token easy to find where it should not be. 43 letters are 256 bits. */
export function newOperatorToken(): string {
  return `hub_op_${randomLetters(43)}`
}

const FORM = /^hub_op_[A-Za-z0-9]{43}$/

/** Hashes of tokens that lived when this isolate asked last, in half an hour. */
const known = bounded<true>(30 * MINUTE)

/**
 * Whose a token is: the operator's, who holds the Worker's `OPERATOR_TOKEN`, or that of a name. Null for one that nobody has. D1 is asked
 * each time, so a revoked token ends at once; but `too-many` for a stranger who has tried too often, so that D1 is not theirs to keep busy.
 */
export async function operatorOfToken(
  env: Env,
  token: string,
  isStranger: boolean,
): Promise<Operator | 'too-many' | null> {
  if (env.OPERATOR_TOKEN !== '' && (await equalInConstantTime(token, env.OPERATOR_TOKEN)))
    return { name: 'OPERATOR_TOKEN', role: 'operator', via: 'secret' }
  if (!FORM.test(token)) return null
  const hash = await sha256(token)
  if (isStranger && !known.get(hash)) return 'too-many'
  const row = await liveOperatorToken(env.DB, { hash })
  if (!row) {
    known.delete(hash)
    return null
  }
  known.set(hash, true)
  return { name: row.name, role: row.role, via: 'token', token: row.id }
}
