import { toHex } from '../../crypto/bytes.ts'
import { hmac } from '../../crypto/hmac.ts'

/** The one API key of the embedded sandbox, in the form of a Mollie test key; derived, so that nobody has to set it. */
export const sandboxApiKey = async (env: Env): Promise<string> =>
  `test_${toHex(await hmac('SHA-256', env.SIGNING_ROOT, 'sandbox-api-key')).slice(0, 32)}`
