import * as v from 'valibot'
import { failure, operation, success } from './operation.ts'

/** A JSON Web Token. Wrangler reads its claims, and nothing verifies it. */
function tokenOf(session: number, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ session, ...claims })}.signature`
}

/** Static assets: https://developers.cloudflare.com/workers/static-assets/direct-upload/ */
export const ASSETS = [
  operation(
    'POST /workers/scripts/:script/assets-upload-session',
    {
      body: v.strictObject({
        manifest: v.record(
          v.pipe(v.string(), v.startsWith('/')),
          v.strictObject({ hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)), size: v.number() }),
        ),
      }),
    },
    ({ manifests, assets }, { body: { manifest } }) => {
      const hashes = Object.fromEntries(Object.entries(manifest).map(([path, { hash }]) => [path, hash]))
      const jwt = tokenOf(manifests.size, { exp: Math.floor(Date.now() / 1000) + 3600 })
      manifests.set(jwt, hashes)
      const missing = new Set(Object.values(hashes).filter((hash) => !assets.has(hash)))
      return success({ jwt, buckets: missing.size > 0 ? [[...missing]] : [] })
    },
  ),
  operation(
    'POST /workers/assets/upload',
    { body: v.instance(FormData), query: v.strictObject({ base64: v.literal('true') }) },
    async ({ assets, manifests }, { body }) => {
      for (const [hash, file] of body) {
        if (typeof file === 'string') return failure(400, 10_301, `${hash} is no file`)
        assets.set(hash, { contents: Buffer.from(await file.text(), 'base64'), type: file.type })
      }
      return success({ jwt: [...manifests.keys()].at(-1) })
    },
  ),
]
