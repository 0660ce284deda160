import { HUB } from '../contract/placeholder.ts'
import { VERSION } from '../platform/version.ts'

export function pages(): Map<string, string> {
  return new Map([
    ['index.html', HOME],
    ['index.json', `${JSON.stringify(ADDRESSES, null, 2)}\n`],
    ['404.html', NOT_FOUND],
    ['till.html', TILL],
  ])
}

const ADDRESSES = {
  name: 'Payment Hub',
  version: VERSION,
  documents: `${HUB}/docs`,
  openapi: `${HUB}/openapi.json`,
  client: `${HUB}/client.js`,
  kit: `${HUB}/kit.tgz`,
  till: `${HUB}/till`,
}

const LINKS = [
  ['/docs', 'Docs'],
  ['/docs/reference', 'Reference'],
  ['/till', 'Till'],
] as const

/** `here` is the page's address, if the links above every page have it. */
type Page = { title: string; description: string; head?: string; here?: string; main: string }

function pageOf({ title, description, head = '', here, main }: Page): string {
  const links = LINKS.map(([address, name]) => {
    const isHere = address === here ? ' aria-current="true"' : ''
    return `<a href="${address}"${isHere}>${name}</a>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
${head}</head>
<body>
<header class="site">
<a class="skip" href="#content">Skip to the content</a>
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24">Payment Hub</a>
<nav aria-label="Site">${links.join('')}</nav>
</header>
${main}
</body>
</html>
`
}

const CARDS = [
  ['/docs/guide', 'Guide', 'From an API key to a paid order, step by step, in four languages.'],
  ['/docs/reference', 'Reference', 'Each operation with its fields, limits, headers, errors and examples.'],
  ['/docs/payment-methods', 'Payment methods', 'Which name a method has here, and which PSP takes it.'],
  ['/till', 'Till', 'A point of sale in the browser, with a test key or a live one.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The API as a document for generators and other tools.'],
  ['/docs/client', 'Client', 'A typed client for TypeScript and JavaScript, which this hub serves itself.'],
]

const HOME = pageOf({
  title: 'Payment Hub',
  description: 'One API for tills and web shops to take payments over several payment service providers.',
  main: `<main class="plain" id="content">
<h1>Payment Hub</h1>
<p class="lead">One API for tills and web shops to take payments, whichever payment service provider (PSP)
takes the money. A point of sale creates a payment job, sends its customer to the job’s page, and learns
the result from a signed report.</p>
<p><a class="button first" href="/docs">Read the documents</a></p>
<ul class="cards">
${CARDS.map(([address, name, what]) => `<li><a href="${address}"><strong>${name}</strong>${what}</a></li>`).join('\n')}
</ul>
<p class="soft">Are you here to pay? Use the link that your shop gave you. This page has nothing to do with
a payment of yours.</p>
</main>`,
})

const NOT_FOUND = pageOf({
  title: 'Nothing here – Payment Hub',
  description: 'There is no page at this address.',
  main: `<main class="plain" id="content">
<h1>There is nothing at this address</h1>
<p>The address may be mistyped, or the page has moved. Look in the <a href="/docs">documents</a>, or begin
at the <a href="/">start page</a>.</p>
</main>`,
})

/** Stands in for the documents of a local hub that is still building them, or could not. */
export function docsMissing(hasFailed: boolean): string {
  const [title, text] = hasFailed
    ? ['The documents could not be built', 'The terminal of this hub shows why.']
    : ['The documents are being built', 'This takes half a minute. The page reloads by itself.']
  return pageOf({
    title: `${title} – Payment Hub`,
    description: text,
    head: hasFailed ? '' : '<meta http-equiv="refresh" content="2">\n',
    main: `<main class="plain" id="content">
<h1>${title}</h1>
<p>${text}</p>
</main>`,
  })
}

const TILL = pageOf({
  title: 'Till – Payment Hub',
  description: 'A point of sale in the browser: an amount, a code, and a loud word when it is paid.',
  here: '/till',
  head: `<link rel="stylesheet" href="/assets/till.css">
<script type="module" src="/assets/till.js"></script>
`,
  main: `<main class="till" id="content">
<div id="till">
<noscript><h1>Till</h1><p>The till needs JavaScript. The <a href="/docs/guide">guide</a> does the same with curl.</p></noscript>
</div>
</main>`,
})
