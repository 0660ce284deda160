import { PAGE_POLICY } from '../platform/http/respond.ts'
import { HUB } from './placeholder.ts'

/** The types of the files. The platform would take `.d.ts` for a film. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  ts: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Serves a file of the site with the hub's own origin filled in, or null where there is none: also on a hub that was started
 * without its site. A browser that has the file already gets a 304 (RFC 9110, section 13.1.2): the ETag is that of the file,
 * and a browser keeps what it has by its address, origin included.
 */
export async function serveFile(
  request: Request,
  env: Env,
  path: string,
  status = 200,
): Promise<Response | null> {
  const assets: Fetcher | undefined = env.ASSETS
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]
  if (!assets || !type) return null
  const known = status === 200 ? request.headers.get('if-none-match') : null
  const found = await assets.fetch(
    `${HUB}/${path}`,
    known === null ? {} : { headers: { 'if-none-match': known } },
  )
  if (found.status !== 200 && found.status !== 304) return missing(found, path)
  const headers = headersOf(path, type, found.headers.get('etag'))
  if (found.status === 304) return new Response(null, { status: 304, headers })
  return new Response(fillIn(await found.text(), request), { status, headers })
}

async function missing(answer: Response, path: string): Promise<null> {
  await answer.body?.cancel()
  if (answer.status === 404) return null
  throw new Error(`the file ${path} of the site was answered with ${answer.status}`)
}

function headersOf(path: string, type: string, etag: string | null): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    // Asked for again each time, and then mostly a 304: a page and its script are never of two releases for long. Files of
    // the docs have the hash of their content in their name.
    'cache-control': path.startsWith('docs/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Nothing here is secret: the document of the API and the client may be read by pages of others.
    'access-control-allow-origin': '*',
    ...(etag === null ? {} : { etag }),
  }
}

/** A host name may have quotes and ampersands, as the URL standard reads it: none of those gets into a page. */
function fillIn(text: string, request: Request): string {
  return text.replaceAll(HUB, () => new URL(request.url).origin.replaceAll(/[^\w.:[\]/-]/g, ''))
}
