import { ok, refuse } from '../contract/result.ts'
import { type Context, type Handler, type RouteResult, routes } from '../platform/http/routes.ts'
import { PAGE_HEADERS, PAGE_POLICY } from '../platform/http/respond.ts'
import { utf8 } from '../platform/crypto/hash.ts'
import { HUB } from '../contract/placeholder.ts'
import { securityText } from './security-txt.ts'
import { END_OF_ARCHIVE, tarEntry } from './tar.ts'

/** Serves the file at a path of the site. */
async function serve(request: Request, { env }: Context, path: string): Promise<RouteResult> {
  const found = await serveFile(request, env, path)
  return found ? ok(found) : nothingHere(request, env)
}

/** Serves the home page to people, and its addresses as JSON to programs. */
const home: Handler = (request, context) => {
  const asksForJson = accepts(request, 'application/json') && !accepts(request, 'text/html')
  return varied(serve(request, context, asksForJson ? 'index.json' : 'index.html'))
}

const DOCUMENT = /^\/docs(?:\/|\/([a-z][a-z0-9-]*)(\/|\.md)?)?$/

/** Serves a page of the docs, or its Markdown. VitePress's script expects no slash at the end. */
const document: Handler = async (request, context) => {
  const [found, name = 'index', end] = DOCUMENT.exec(new URL(request.url).pathname) ?? []
  if (found === undefined) return varied(nothingHere(request, context.env))
  if (end === '/') return ok(new Response(null, { status: 308, headers: { location: `/docs/${name}` } }))
  return varied(serve(request, context, `docs/${name}${end ?? '.html'}`))
}

const asset: Handler = (request, context) => serve(request, context, new URL(request.url).pathname.slice(1))

/** Answers browsers with a page, and programs with a problem. */
async function nothingHere(request: Request, env: Env): Promise<RouteResult> {
  const page = accepts(request, 'text/html') ? await serveFile(request, env, '404.html', 404) : null
  return page ? ok(page) : refuse({ code: 'address-unknown', detail: 'There is nothing at this address.' })
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get('accept') ?? '').includes(type)
}

async function varied(answer: RouteResult | Promise<RouteResult>): Promise<RouteResult> {
  const varying = await answer
  if (varying.ok) varying.value.headers.append('vary', 'Accept')
  return varying
}

/** Files that have an address of their own. */
export const FILES: Readonly<Record<string, string>> = {
  'client.d.ts': 'client.d.ts',
  'client.js': 'client.js',
  'client.php': 'client.php',
  'client.py': 'client.py',
  'favicon.ico': 'favicon.svg',
  'favicon.svg': 'favicon.svg',
  'kit.tgz': 'kit.tgz',
  'llms.txt': 'docs/llms.txt',
  'openapi.json': 'openapi.json',
  'operator/openapi.json': 'operator/openapi.json',
  'robots.txt': 'robots.txt',
  till: 'till.html',
}

/** The site's addresses: whole paths, and first parts of paths. */
export const SITE_ADDRESSES: readonly string[] = ['', '.well-known', 'assets', 'docs', ...Object.keys(FILES)]

/** The static files for shops' developers, made by `npm run build:site` (src/build/). */
export const site = routes((table) => {
  table
    .get('/', home)
    .get('/.well-known/security.txt', securityText)
    .get('/docs/assets/*', asset)
    .get('/docs/hashmap.json', asset)
    .get('/docs/vp-icons.css', asset)
    .get('/docs/*', document)
    .get('/assets/*', asset)
  for (const [address, path] of Object.entries(FILES))
    table.get(`/${address}`, (request, context) => serve(request, context, path))
})

/** The media types of the files. The platform would take `.d.ts` for a film. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  php: 'text/plain; charset=utf-8',
  py: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  ts: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Serves a file of the site with the hub's own origin filled in. Returns null if there is none, also on
 * a hub without its site. A browser that already has the file gets a 304 (RFC 9110, section 13.1.2).
 * The file's ETag suffices for that, because a browser keeps a file by its address, origin included.
 */
async function serveFile(request: Request, env: Env, path: string, status = 200): Promise<Response | null> {
  const assets: Fetcher | undefined = env.ASSETS
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]
  if (!assets || !type) return null
  const known = status === 200 ? request.headers.get('if-none-match') : null
  const found = await assets.fetch(
    `${HUB}/${path}`,
    known === null ? {} : { headers: { 'if-none-match': known } },
  )
  // A local hub that is still building its documents.
  if (found.status === 503) return new Response(found.body, found)
  if (found.status !== 200 && found.status !== 304) return missing(found, path)
  const headers = headersOf(path, type, found.headers.get('etag'))
  if (found.status === 304) return new Response(null, { status: 304, headers })
  const origin = originOf(request)
  const body = path.endsWith('.tgz')
    ? await finished(await found.arrayBuffer(), origin)
    : (await found.text()).replaceAll(HUB, () => origin)
  return new Response(body, { status, headers })
}

async function missing(answer: Response, path: string): Promise<null> {
  await answer.body?.cancel()
  if (answer.status === 404) return null
  throw new Error(`ASSETS answered ${answer.status} for the file ${path} of the site`)
}

function headersOf(path: string, type: string, etag: string | null): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    ...PAGE_HEADERS,
    // Pages of other sites may use the client and its like.
    ...(path.endsWith('.html') ? {} : { 'cross-origin-resource-policy': 'cross-origin' }),
    // The browser asks each time, and usually gets a 304, so that a page and its script come from the
    // same release. Files of the docs have the hash of their content in their name.
    'cache-control': path.startsWith('docs/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Pages of other sites may read the API's document and the client. Nothing here is secret.
    'access-control-allow-origin': '*',
    ...(etag === null ? {} : { etag }),
  }
}

/** Returns the hub's origin, without the quotes and ampersands that a host name may have. */
function originOf(request: Request): string {
  return new URL(request.url).origin.replaceAll(/[^\w.:[\]/-]/g, '')
}

/**
 * Finishes an archive that the build left open: adds the file in which a program of the package finds the hub
 * that handed it out. A gzip file may have several members (RFC 1952, section 2.2), so the rest stays as it is.
 */
async function finished(archive: ArrayBuffer, origin: string): Promise<Blob> {
  const address = tarEntry('package/hub.json', utf8(JSON.stringify({ url: origin })))
  const rest = new Blob([address, END_OF_ARCHIVE]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Blob([archive, await new Response(rest).blob()])
}
