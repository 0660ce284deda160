import { HUB } from '../../site/placeholder.ts'
import { SiteHeader, htmlPage } from './html-page.tsx'
import type { SiteFiles } from './write-folder.ts'

/**
 * What `/` shows: to people as a page, to programs as JSON. And what an address shows that has
 * nothing.
 */
export function homePage(): Promise<SiteFiles> {
  return Promise.resolve(
    new Map([
      ['index.html', home()],
      ['index.json', `${JSON.stringify(ADDRESSES, null, 2)}\n`],
      ['404.html', notFound()],
    ]),
  )
}

const ADDRESSES = {
  name: 'Payment Hub',
  documents: `${HUB}/docs`,
  openapi: `${HUB}/openapi.json`,
  client: `${HUB}/client.js`,
  till: `${HUB}/till`,
}

const CARDS = [
  ['/docs/guide', 'Guide', 'From an API key to a paid order, step by step, in four languages.'],
  ['/docs/reference', 'Reference', 'Each operation with its fields, limits, headers, errors and examples.'],
  ['/docs/payment-methods', 'Payment methods', 'Which name a method has here, and which PSP takes it.'],
  ['/till', 'Till', 'A point of sale in the browser, to play a whole payment with a test key.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The API as a document for generators and other tools.'],
  ['/docs/client', 'Client', 'A typed client for TypeScript and JavaScript, which this hub serves itself.'],
] as const

function home(): string {
  return htmlPage({
    title: 'Payment Hub',
    description: 'One API for tills and web shops to take payments over several payment service providers.',
    children: (
      <>
        <SiteHeader here="/" />
        <main class="plain" id="content">
          <h1>Payment Hub</h1>
          <p class="lead">
            One API for tills and web shops to take payments, whichever payment service provider (PSP) takes
            the money. A point of sale creates a payment job, sends its customer to the job’s page, and learns
            the result from a signed report.
          </p>
          <p>
            <a class="button first" href="/docs">
              Read the documents
            </a>
          </p>
          <ul class="cards">
            {CARDS.map(([address, name, what]) => (
              <li>
                <a href={address}>
                  <strong>{name}</strong>
                  {what}
                </a>
              </li>
            ))}
          </ul>
          <p class="soft">
            Are you here to pay? Use the link that your shop gave you. This page has nothing to do with a
            payment of yours.
          </p>
        </main>
      </>
    ),
  })
}

function notFound(): string {
  return htmlPage({
    title: 'Nothing here – Payment Hub',
    description: 'There is no page at this address.',
    children: (
      <>
        <SiteHeader here="" />
        <main class="plain" id="content">
          <h1>There is nothing at this address</h1>
          <p>
            The address may be mistyped, or the page has moved. Look in the <a href="/docs">documents</a>, or
            begin at the <a href="/">start page</a>.
          </p>
        </main>
      </>
    ),
  })
}
