import { askFirst } from './plumbing/question.tsx'
import { NOTHING_FILLED_IN, type Values, valuesOf } from './plumbing/values.ts'
import { type ApiProblem, type OperatorApi, apiOf } from './plumbing/api.ts'
import { cookieOf, isFromOwnOrigin, sessionCookie } from '../platform/http/browser.ts'
import { pageOf } from './parts/frame.tsx'
import { NotShown } from './parts/parts.tsx'
import { type Place, changeAddress, placeOf } from './places.ts'
import { readForm } from '../platform/http/body.ts'
import { problem } from '../platform/http/refusal.ts'
import { type Entrance, unexpected } from '../platform/http/routes.ts'
import { isZone } from '../platform/pages/time-text.ts'
import { type ConsolePage, type Stranger, type Visit, seeOther, type View } from './plumbing/visit.ts'
import { TextField } from './parts/form.tsx'

/**
 * Serves the console. Its pages call `operatorApi` as any client does, so that only the API
 * decides what an operator may do.
 */
export function consoleOf(operatorApi: Entrance): Entrance {
  return async (request, env) => {
    try {
      return await serveConsole(request, (asked) => operatorApi(asked, env), env.SEALING_KEY)
    } catch (error) {
      return problem(unexpected(error))
    }
  }
}

/** Serves a page, or makes a change and redirects to the page that shows it. */
export async function serveConsole(
  request: Request,
  ask: OperatorApi,
  sealingKey: string,
): Promise<Response> {
  const url = new URL(request.url)
  const zone = (cookieOf(request, 'hub-zone') ?? '').replace('%2F', '/').replace('%2F', '/')
  const [place, params] = placeOf(url.pathname)
  const api = apiOf(request, ask)
  const known = { zone: isZone(zone) ? zone : 'UTC', now: Date.now(), sealingKey, changeAddress }
  const visit: Stranger = { request, url, params, api, ...known }
  if (request.method === 'POST') return (await makeChange(visit, place, ask)) ?? notAllowed('GET, HEAD')
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD, POST')
  if (url.pathname === '/console/sign-in') return pageOf(signInPage(visit), visit)
  const response = await showPlace(visit, place)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

function showPlace(stranger: Stranger, place: Place | null): Promise<Response> {
  if (place === null) return renderForVisitor(stranger, nothingHere)
  if ('see' in place) return renderForVisitor(stranger, place.see)
  // Ignores the query: a foreign link must not fill in a form that makes a change.
  return renderForVisitor(stranger, (visit) => askFirst(place, visit, NOTHING_FILLED_IN))
}

/** Identifies the visitor first, because for a stranger the page would call the API many times in vain. */
async function renderForVisitor(stranger: Stranger, page: ConsolePage): Promise<Response> {
  const me = await stranger.api('showMe')
  if (!me.ok) return notLetIn(stranger, me.problem)
  return renderPage({ ...stranger, me: me.value }, page)
}

async function renderPage(visit: Visit, page: ConsolePage): Promise<Response> {
  const view = await page(visit)
  return view instanceof Response ? view : pageOf(view, visit)
}

/** Sends strangers to the sign-in page. Shows others why they have no access. */
function notLetIn(visit: Stranger, why: ApiProblem): Response {
  const { pathname, search } = visit.url
  // Signing in never leads to the address of a change.
  const wanted = visit.request.method === 'POST' ? '/console' : pathname + search
  if (why.status === 401) return seeOther(signInAddress(wanted))
  const body = (
    <section class="card">
      <h1>You have no access</h1>
      <NotShown problem={why} />
    </section>
  )
  return pageOf({ title: 'No access', status: why.status, body }, visit)
}

/** Makes the change of a posted form. Returns null if nothing can be changed at this address. */
async function makeChange(
  stranger: Stranger,
  place: Place | null,
  ask: OperatorApi,
): Promise<Response | null> {
  const { request, url, api } = stranger
  // The API makes the same check on cookies; signing in sends none.
  if (!isFromOwnOrigin(request))
    return new Response('This form comes from another site.\n', {
      status: 403,
      headers: { 'cache-control': 'no-store' },
    })
  if (url.pathname === '/console/sign-out') return signOut(stranger)
  if (url.pathname === '/console/sign-in') return receiveToken(stranger, ask)
  if (place === null || 'see' in place) return null
  // Comes before the form, because the hub does not read forms of strangers.
  const me = await api('showMe')
  if (!me.ok) return notLetIn(stranger, me.problem)
  const visit = { ...stranger, me: me.value }
  const form = await readForm(request)
  if (!form.ok) return problem(form.error)
  const values = valuesOf(form.value)
  const made = await place.make(visit, values)
  if (made?.ok) return made.value
  if (made?.problem.status === 401) return notLetIn(visit, made.problem)
  return renderPage(visit, () => askFirst(place, visit, values, made?.problem))
}

async function receiveToken(visit: Stranger, ask: OperatorApi): Promise<Response> {
  const form = await readForm(visit.request)
  if (!form.ok) return problem(form.error)
  const values = valuesOf(form.value)
  const answer = await signIn(visit, values, ask)
  return answer instanceof Response ? answer : pageOf(signInPage(visit, values.get('to'), answer), visit)
}

function notAllowed(allow: string): Response {
  return new Response(null, { status: 405, headers: { allow, 'cache-control': 'no-store' } })
}

const nothingHere: ConsolePage = async () => ({
  title: 'Not found',
  status: 404,
  body: (
    <>
      <h1>There is nothing at this address</h1>
      <p>
        <a href="/console">Go to the overview</a>
      </p>
    </>
  ),
})

const HOME = '/console'

/** Returns the address to go to after signing in, if it is a page of the console. */
function wantedOf(given: string, url: URL): string {
  const wanted = URL.parse(given, url)
  const isOwn = wanted?.origin === url.origin && /^\/console(\/|$)/.test(wanted.pathname)
  return isOwn && !wanted.pathname.startsWith('/console/sign-') ? wanted.pathname + wanted.search : HOME
}

function signInAddress(wanted: string): string {
  return wanted === HOME ? '/console/sign-in' : `/console/sign-in?to=${encodeURIComponent(wanted)}`
}

/** Asks for a token. `given` is the page to go to afterwards, which a refused token keeps. */
function signInPage(
  { url }: Stranger,
  given: string = url.searchParams.get('to') ?? '',
  why?: ApiProblem,
): View {
  return {
    title: 'Sign in',
    status: why?.status ?? 200,
    body: (
      <section class="card sign-in">
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Payment Hub</h1>
        {why && (
          <p class="notice bad" role="alert">
            {why.status === 401 ? 'The hub does not know this token.' : why.detail}
          </p>
        )}
        <form method="post" action="/console/sign-in">
          <input type="hidden" name="to" value={wantedOf(given, url)} />
          <TextField
            label="Operator token"
            type="password"
            name="token"
            required
            autofocus
            autocomplete="current-password"
          />
          <button type="submit" class="first">
            Sign in
          </button>
        </form>
        <p class="soft">
          The first token is the hub's OPERATOR_TOKEN. Operators make more:{' '}
          <code>npm run hub -- token create</code>.
        </p>
      </section>
    ),
  }
}

/** Trades a token for a session, in a cookie that no script can read. */
async function signIn(visit: Stranger, values: Values, ask: OperatorApi): Promise<Response | ApiProblem> {
  const token = values.get('token')
  // A text that no header can contain is not a token.
  if (!/^[\w\-.~+/]+=*$/.test(token)) return { status: 401, detail: '' }
  const begun = await apiOf(visit.request, ask, token)('beginSession')
  if (!begun.ok) return begun.problem
  const { session, until } = begun.value
  const location = wantedOf(values.get('to'), visit.url)
  return seeOther(location, sessionCookie(visit.request, visit.now, { session, until: Date.parse(until) }))
}

/** Ends the session at the hub too, so that copies of its cookie stop working. */
async function signOut({ request, now, api }: Stranger): Promise<Response> {
  await api('endSession')
  return seeOther('/console/sign-in?done=endSession', sessionCookie(request, now))
}
