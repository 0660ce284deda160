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

/** A page of the documents. `/docs/guide/` is `/docs/guide`. */
const document: Handler = (request, context) => {
  const [, name] = /^\/docs(?:\/([a-z][a-z0-9-]*))?\/?$/.exec(new URL(request.url).pathname) ?? [null, '404']
  return varied(file(`docs/${name ?? 'index'}.html`)(request, context))
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

/** What people who build a point of sale read and try out: static files, made by `npm run build:site` (src/cli/site/). */
export const site = routes((table) =>
  table
    .get('/', home)
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
