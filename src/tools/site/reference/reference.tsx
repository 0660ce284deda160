import { renderToString } from 'preact-render-to-string'
import type { Heading, Rendered } from '../markdown.ts'
import { type Document, type Listed, operationsOf } from './document.ts'
import { Fields, Inline, Kind } from './fields.tsx'
import { OperationSection } from './operation.tsx'

const OPERATOR = 'Operator'

/** The reference of what points of sale use: operations, the report, and the objects that go to and fro. */
export function posReference(document: Document): Rendered {
  return reference(document, {
    title: 'Reference',
    about:
      'Each operation with what is sent, what comes back and what can go wrong. It is made from the [OpenAPI document](/openapi.json), and that from the code that checks requests.',
    operations: operationsOf(document, document.paths).filter(
      ({ operation }) => !operation.tags.includes(OPERATOR),
    ),
    webhooks: operationsOf(document, document.webhooks),
  })
}

/** The reference of what the operator of a hub uses. */
export function operatorReference(document: Document): Rendered {
  return reference(document, {
    title: 'Operator API',
    about:
      'What the operator of the hub does, which is what `npx hub` uses. In place of a token, Cloudflare Access or a session of the console may say who asks: then a change must come from a page of the hub. Points of sale have the [reference](/docs/reference).',
    operations: operationsOf(document, document.paths).filter(({ operation }) =>
      operation.tags.includes(OPERATOR),
    ),
    webhooks: [],
  })
}

type Parts = { title: string; about: string; operations: Listed[]; webhooks: Listed[] }

/** What holds for every operation. */
const ALWAYS = [
  'Bodies are JSON in UTF-8, with `Content-Type: application/json`.',
  'Send `Authorization: Bearer` and the secret that the operation names.',
  'Send an `X-Request-Id` of your own if you like (1 to 128 letters, digits, `.`, `_`, `:`, `-`). Each answer has it, or a new one, and so has the log of the hub.',
  'Answers of an API have `X-Signature` once the hub knows who asks: [how to verify it](/docs/webhooks#verify-a-report).',
  'Requests are limited: [how many](/docs/limits). What is too much is a 429 with `Retry-After`.',
  'Ignore members that you do not know: [what may be added](/docs/versioning).',
  'A problem has a `code`, by which programs decide: [all codes](/docs/errors#by-code).',
]

function reference(document: Document, { title, about, operations, webhooks }: Parts): Rendered {
  const objects = objectsOf(document, [...operations, ...webhooks])
  const html = renderToString(
    <>
      <h1>{title}</h1>
      <p>
        <Inline text={about} />
      </p>
      <ul>
        {ALWAYS.map((text) => (
          <li>
            <Inline text={text} />
          </li>
        ))}
      </ul>
      {operations.map((listed) => (
        <OperationSection document={document} listed={listed} />
      ))}
      {webhooks.map((listed) => (
        <WebhookSection document={document} listed={listed} />
      ))}
      <h2 id="objects">
        <a class="anchor" href="#objects">
          Objects
        </a>
      </h2>
      {objects.map((name) => (
        <ObjectSection document={document} name={name} />
      ))}
    </>,
  )
  const headings = [...operations, ...webhooks].map(({ operation }): Heading => ({
    depth: 2,
    id: operation.operationId,
    text: operation.summary,
  }))
  return { title, html, headings: [...headings, { depth: 2, id: 'objects', text: 'Objects' }] }
}

/** The components that operations speak of, and those that these speak of, by name. */
function objectsOf({ components }: Document, operations: readonly Listed[]): string[] {
  const found = new Set<string>()
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(components.schemas[name])
    }
  }
  for (const { operation } of operations) look([operation.requestBody, operation.responses])
  look(components.schemas['Problem'])
  if (components.schemas['Problem']) found.add('Problem')
  return [...found]
}

function ObjectSection({ document, name }: { document: Document; name: string }) {
  const schema = document.components.schemas[name] ?? {}
  return (
    <section id={name}>
      <h3>
        <a class="anchor" href={`#${name}`}>
          {name}
        </a>
      </h3>
      {schema.description && (
        <p>
          <Inline text={schema.description} />
        </p>
      )}
      {schema.properties ? (
        <Fields schema={schema} caption={`Fields of ${name}`} />
      ) : (
        <p class="kind">
          <Kind schema={schema} />
        </p>
      )}
    </section>
  )
}

function WebhookSection({ document, listed }: { document: Document; listed: Listed }) {
  return <OperationSection document={document} listed={{ ...listed, path: 'your report_url' }} />
}
