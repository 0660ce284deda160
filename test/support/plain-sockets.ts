import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

type Deflate = { prototype: { offer: () => Record<string, boolean> } }

/**
 * Keeps the sockets between Vitest and the runtimes it starts uncompressed: eight megabytes of modules go to each, on this machine,
 * and zlib took a fifth of all that Vitest's own process did. Miniflare has no setting for it. A server must decline an offer of
 * permessage-deflate with a parameter that it does not know (RFC 7692, 5.1).
 */
export const keepSocketsPlain = (): void => {
  const miniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const file = join(dirname(miniflare.resolve('ws/package.json')), 'lib', 'permessage-deflate.js')
  const { prototype } = miniflare(file) as Deflate
  prototype.offer = () => ({ 'not-here': true })
}
