import { type ApiProblem, type Ask, apiOf } from './api.ts'
import type { Values } from './action.tsx'
import { sessionCookie } from '../platform/http/browser.ts'
import { Field } from './form.tsx'
import { type Stranger, type View, seeOther } from './visit.ts'

const HOME = '/console'

/** Returns the address to go to after signing in, if it is a page of the console. */
function wantedOf(given: string, url: URL): string {
  const wanted = URL.parse(given, url)
  const isOwn = wanted?.origin === url.origin && /^\/console(\/|$)/.test(wanted.pathname)
  return isOwn && !wanted.pathname.startsWith('/console/sign-') ? wanted.pathname + wanted.search : HOME
}

export function signInAddress(wanted: string): string {
  return wanted === HOME ? '/console/sign-in' : `/console/sign-in?to=${encodeURIComponent(wanted)}`
}

/** Asks for a token. `given` is the page to go to afterwards, also after a refused token. */
export function signInPage(
  { url }: Stranger,
  given: string = url.searchParams.get('to') ?? '',
  problem?: ApiProblem,
): View {
  return {
    title: 'Sign in',
    status: problem?.status ?? 200,
    body: (
      <section class="card sign-in">
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Payment Hub</h1>
        {problem && (
          <p class="notice bad" role="alert">
            {problem.status === 401 ? 'The hub does not know this token.' : problem.detail}
          </p>
        )}
        <form method="post" action="/console/sign-in">
          <input type="hidden" name="to" value={wantedOf(given, url)} />
          <Field label="Operator token">
            <input
              type="password"
              name="token"
              required
              autofocus
              autocomplete="current-password"
              spellcheck={false}
            />
          </Field>
          <button type="submit" class="first">
            Sign in
          </button>
        </form>
        <p class="soft">
          An operator makes tokens: <code>npm run hub -- token create</code>. The first is the hub's
          OPERATOR_TOKEN.
        </p>
      </section>
    ),
  }
}

/** Trades a token for a session, in a cookie that no script can read. */
export async function signIn(visit: Stranger, values: Values, ask: Ask): Promise<Response | ApiProblem> {
  const token = values.get('token')
  // A text that no header can carry is no token.
  if (!/^[\w\-.~+/]+=*$/.test(token)) return { status: 401, code: 'operator-token-invalid', detail: '' }
  const begun = await apiOf(visit.request, ask, token)('beginSession')
  if (!begun.ok) return begun.problem
  const { session, until } = begun.value
  const location = wantedOf(values.get('to'), visit.url)
  return seeOther(location, sessionCookie(visit.request, visit.now, { session, until: Date.parse(until) }))
}

/** Ends the session at the hub too, so that copies of its cookie stop working. */
export async function signOut({ request, now, api }: Stranger): Promise<Response> {
  await api('endSession')
  return seeOther('/console/sign-in?done=signed-out', sessionCookie(request, now))
}
