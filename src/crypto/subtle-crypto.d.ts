/**
 * What the Workers' runtime has besides the standard, and the types of browsers hide, which Preact brings along:
 * https://developers.cloudflare.com/workers/runtime-apis/web-crypto/#custom-web-crypto-apis
 */
interface SubtleCrypto {
  /** Throws where the two are not of one length. */
  timingSafeEqual(a: ArrayBuffer | ArrayBufferView, b: ArrayBuffer | ArrayBufferView): boolean
}
