import * as v from 'valibot'

/** The hexadecimal keys in a text, with spaces or commas between; null where it holds anything else, or nothing. */
export function keysIn(text: string): string[] | null {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '')
  return keys.length > 0 && keys.every((key) => /^([0-9a-f]{2})+$/i.test(key)) ? keys : null
}

export const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^[\x21-\x7e]+$/, 'must be an Adyen API key, without spaces'),
    v.description('API key, from Developers → API credentials → Server settings → Authentication'),
  ),
  merchantAccount: v.pipe(
    v.string('must be a text'),
    v.regex(/^\S+$/, 'must be the name of a merchant account, without spaces'),
    v.description('Name of the merchant account, as in the top left of the Customer Area'),
  ),
  hmacKey: v.pipe(
    v.string('must be a text'),
    v.check((text) => keysIn(text) !== null, 'must be one or more hexadecimal keys, with spaces between'),
    v.description(
      'HMAC key of the webhook, from Developers → Webhooks → Standard webhook → Security; while it is replaced, also the one before it, after a space',
    ),
  ),
  livePrefix: v.optional(
    v.pipe(
      v.string('must be a text'),
      v.regex(/^[A-Za-z0-9-]+$/, 'must be the prefix alone, such as 1797a841fbb37ca7-AdyenDemo'),
      v.description(
        'Prefix of the live endpoint, from Developers → API URLs in the live Customer Area; needed in live mode',
      ),
    ),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>
