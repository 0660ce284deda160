import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { PAGE_HEADERS, PAGE_POLICY } from '../../platform/http/respond.ts'
import { plainText } from './formats.ts'
import { messageOf } from '../plumbing/question.tsx'
import { Facts } from './parts.tsx'
import { type Stranger, type View, type Visit, Visiting, useVisit } from '../plumbing/visit.ts'

/** The sections, by the part of the address behind `/console/`. */
const SECTIONS: readonly (readonly [part: string, name: string])[] = [
  ['', 'Overview'],
  ['payments', 'Payments'],
  ['points-of-sale', 'Points of sale'],
  ['accounts', 'Accounts'],
  ['reports', 'Reports'],
  ['books', 'Books'],
  ['audit', 'Audit'],
  ['settings', 'Settings'],
]

/** Makes a whole page. The renderer escapes every text. */
export function pageOf(view: View, visit: Visit | Stranger): Response {
  const known = 'me' in visit ? visit : null
  return html(
    <html lang="en" data-zone={visit.zone} data-now={String(visit.now)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${plainText(view.title)} · Payment Hub`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/console.css" />
        <script type="module" src="/assets/console.js" />
      </head>
      <body class={known ? 'framed' : 'bare'}>
        <Visiting.Provider value={known}>
          {known && <Top />}
          <main id="content" tabIndex={-1} data-live={view.live} data-after={view.after}>
            <Message name={visit.url.searchParams.get('done')} />
            {view.body}
          </main>
          {known && <Keys />}
        </Visiting.Provider>
      </body>
    </html>,
    view,
  )
}

function html(page: VNode, { status = 200, headers = {} }: View): Response {
  return new Response(`<!doctype html>${renderToString(page)}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'referrer-policy': 'same-origin',
      ...PAGE_HEADERS,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}

/** Confirms the change that led to this page; the address names its operation. */
function Message({ name }: { name: string | null }) {
  const message = messageOf(name)
  return (
    <p class="notice good" role="status" data-message hidden={message === null}>
      {message}
    </p>
  )
}

function Top() {
  const visit = useVisit()
  const here = visit.url.pathname.split('/')[2] ?? ''
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <a class="brand" href="/console" aria-label="Payment Hub">
          <img src="/favicon.svg" alt="" width="22" height="22" />
          <span>Payment Hub</span>
        </a>
        <form class="search" role="search" action="/console/payments">
          <input
            type="search"
            name="q"
            aria-label="Search payments"
            aria-keyshortcuts="/"
            placeholder="Search payments"
            autocomplete="off"
            spellcheck={false}
            value={visit.url.searchParams.get('q') ?? ''}
          />
          <kbd aria-hidden="true">/</kbd>
        </form>
        <Who />
      </header>
      <nav aria-label="Console">
        <ul>
          {SECTIONS.map(([part, name]) => (
            <li key={part}>
              <a
                href={part === '' ? '/console' : `/console/${part}`}
                {...(part === here ? { 'aria-current': 'page' as const } : {})}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
        <p class="host">
          {visit.url.host}
          <br />
          Times in <span data-zone-name>{visit.zone}</span>
        </p>
      </nav>
    </>
  )
}

const KEYS = [
  ['/', 'search payments'],
  ['j', 'go down a list'],
  ['k', 'go up a list'],
  ['Enter', 'open the chosen row'],
  ['Esc', 'leave a field or close a question'],
  ['?', 'show these keys'],
] as const

/** Lists the keys; the script shows it at `?`. */
function Keys() {
  return (
    <dialog id="keys" aria-label="Keys">
      <form method="dialog" class="confirm">
        <h2>Keys</h2>
        <Facts rows={KEYS.map(([key, does]) => [<kbd>{key}</kbd>, does] as const)} />
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

function Who() {
  const { me } = useVisit()
  return (
    <details class="who">
      <summary aria-label={`Signed in as ${me.name}`}>
        <span class="face" aria-hidden="true">
          {String.fromCodePoint(me.name.codePointAt(0) ?? 63).toUpperCase()}
        </span>
      </summary>
      <div>
        <p>
          <bdi>{me.name}</bdi>
          <br />
          <span class="soft">{me.role}</span>
        </p>
        {me.via === 'session' && (
          <form method="post" action="/console/sign-out">
            <button type="submit">Sign out</button>
          </form>
        )}
      </div>
    </details>
  )
}
