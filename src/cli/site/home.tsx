import { HUB } from '../../site/placeholder.ts'
import { htmlPage } from './html-page.tsx'
import type { SiteFiles } from './site-file.ts'

/** What `/` shows: to people as a page, to programs as JSON. */
export const homePage = (): Promise<SiteFiles> =>
  Promise.resolve(
    new Map([
      ['index.html', home()],
      ['index.json', `${JSON.stringify(addresses, null, 2)}\n`],
      ['404.html', notFound()],
    ]),
  )

const addresses = {
  name: 'Payment Hub',
  documents: `${HUB}/docs`,
  openapi: `${HUB}/openapi.json`,
  client: `${HUB}/client.js`,
  till: `${HUB}/till`,
}

const home = (): string =>
  htmlPage({
    title: 'Payment Hub',
    description: 'A payment hub between points of sale and payment service providers.',
    children: (
      <main>
        <h1>Payment Hub</h1>
        <p>
          This is a payment hub. It stands between points of sale (tills, web shops) and payment service
          providers.
        </p>
        <p>
          <a href="/docs">Read the documents</a>
        </p>
      </main>
    ),
  })

const notFound = (): string =>
  htmlPage({
    title: 'Nothing here',
    description: 'There is no page at this address.',
    children: (
      <main>
        <h1>There is nothing at this address</h1>
        <p>
          Look in the <a href="/docs">documents</a>, or begin at the <a href="/">start</a>.
        </p>
      </main>
    ),
  })
