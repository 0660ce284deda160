import { ok, refuse } from '../platform/result.ts'
import { type Answer, type Handler, routes } from '../platform/http/routes.ts'
import { serveFile } from './serve-file.ts'

/** Serves the file at a path of the site. */
function file(path: string): Handler {
  return async (request, { env }) => {
    const found = await serveFile(request, env, path)
    return found ? ok(found) : nothingHere(request, env)
  }
}

/** What this is: a page for people, its addresses for programs. */
const home: Handler = (request, context) => {
  const asksForJson = accepts(request, 'application/json') && !accepts(request, 'text/html')
  return varied(file(asksForJson ? 'index.json' : 'index.html')(request, context))
}

const DOCUMENT = /^\/docs(?:\/|\/([a-z][a-z0-9-]*)(\/?))?$/

/** A page of the docs. VitePress's script knows no `/docs/guide/`, so that address leads to `/docs/guide`. */
const document: Handler = async (request, context) => {
  const [found, name = 'index', end] = DOCUMENT.exec(new URL(request.url).pathname) ?? []
  if (found === undefined) return varied(nothingHere(request, context.env))
  if (end === '/') return ok(new Response(null, { status: 308, headers: { location: `/docs/${name}` } }))
  return varied(file(`docs/${name}.html`)(request, context))
}

const asset: Handler = (request, context) => file(new URL(request.url).pathname.slice(1))(request, context)

/** A page for browsers, a problem for programs. */
async function nothingHere(request: Request, env: Env): Promise<Answer> {
  const page = accepts(request, 'text/html') ? await serveFile(request, env, '404.html', 404) : null
  return page ? ok(page) : refuse({ code: 'address-unknown', detail: 'There is nothing at this address.' })
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get('accept') ?? '').includes(type)
}

async function varied(answer: Answer | Promise<Answer>): Promise<Answer> {
  const varying = await answer
  if (varying.ok) varying.value.headers.append('vary', 'Accept')
  return varying
}

/** What people who build a point of sale read and try out: static files, made by `npm run build:site` (src/tools/site/). */
export const site = routes((table) =>
  table
    .get('/', home)
    .get('/docs/assets/*', asset)
    .get('/docs/hashmap.json', asset)
    .get('/docs/vp-icons.css', asset)
    .get('/docs/*', document)
    .get('/till', file('till.html'))
    .get('/assets/*', asset)
    .get('/openapi.json', file('openapi.json'))
    .get('/client.js', file('client.js'))
    .get('/client.d.ts', file('client.d.ts'))
    .get('/favicon.svg', file('favicon.svg'))
    .get('/favicon.ico', file('favicon.svg'))
    .get('/robots.txt', file('robots.txt')),
)
