import { HEADERS, REPORT_HEADERS, REQUEST_HEADERS } from './headers.ts'
import { type Json, type Schemas, type OpenApi, type PathItem, ref, sampleOf, schemasIn } from './openapi.ts'
import { type Audience, paths, queries } from './paths.ts'
import { problemResponses } from './problems.ts'
import { jsonSchemas } from './schemas.ts'

const ABOUT = `A payment hub between points of sale and payment service providers (PSPs). A point of sale creates a **payment
job** for an order, sends its customer to the job's \`payUrl\`, and learns from reports and reads how the payment stands.

Later releases may add members to answers, and values to lists that say so: ignore what you do not know. Members never change their meaning.`

const INFO: Readonly<Record<Audience, Json>> = {
  shops: { title: 'Payment Hub', version: '2.0.0', description: ABOUT },
  operators: {
    title: 'Payment Hub: operator API',
    version: '1.0.0',
    description:
      'Points of sale, accounts at PSPs, payments, reports, and the state of the hub. `npx hub` is a client of it.',
  },
}

const TAGS: readonly Json[] = [
  { name: 'Access', description: 'Tokens, which every other request of a point of sale needs.' },
  { name: 'Payment methods', description: 'The methods by which customers can pay.' },
  { name: 'Terminals', description: 'Card terminals at a counter.' },
  { name: 'Payment jobs', description: 'Payments of orders.' },
  { name: 'Captures', description: 'Reserved money that is taken or released later.' },
  { name: 'Refunds', description: 'Money that goes back.' },
  { name: 'Reports', description: 'The messages of the hub to points of sale.' },
  { name: 'Operator', description: 'The work of the operator of the hub; `npx hub` is a client of it.' },
  { name: 'Health', description: 'Whether the hub answers, for monitors.' },
]

function bearer(description: string): Json {
  return { type: 'http', scheme: 'bearer', description }
}

const SECURITY_SCHEMES = {
  accessToken: bearer('A token of `GET /v1/guardian`, valid for 24 hours.'),
  apiKey: bearer(
    'The API key of a point of sale. It gets tokens; every other request also accepts it instead of a token.',
  ),
  operatorToken: bearer('The `OPERATOR_TOKEN` of the hub, or an operator token with a name and a role.'),
  cloudflareAccess: {
    type: 'apiKey',
    in: 'header',
    name: 'Cf-Access-Jwt-Assertion',
    description:
      'Cloudflare Access adds it, if the hub is set up for it. A change must come from a page of the hub.',
  },
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-hub-session',
    description: 'The session of the console. A change must come from a page of the hub.',
  },
}

/** Makes an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1) of the contract. */
export function openApiDocument(audience: Audience): OpenApi {
  const schemas = jsonSchemas(queries(audience))
  const described = paths(audience, schemas)
  const webhooks = audience === 'shops' ? { report: reportWebhook(schemas) } : {}
  const parts = [described, webhooks]
  const used = schemasIn([...parts, PROBLEM], schemas)
  const responses = usedIn('responses', problemResponses(), parts)
  return {
    openapi: '3.1.1',
    info: {
      ...INFO[audience],
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
    },
    servers: [{ url: '/', description: 'This hub.' }],
    tags: TAGS.filter(({ name }) => JSON.stringify(parts).includes(`"tags":["${String(name)}"]`)),
    paths: described,
    ...(audience === 'shops' ? { webhooks } : {}),
    components: {
      schemas: Object.fromEntries(Array.from(used, (name) => [name, schemas[name] ?? {}])),
      responses,
      headers: usedIn('headers', HEADERS, [...parts, responses]),
      parameters: usedIn('parameters', REQUEST_HEADERS, parts),
      securitySchemes: Object.fromEntries(
        Object.entries(SECURITY_SCHEMES).filter(([name]) => JSON.stringify(parts).includes(`"${name}":[]`)),
      ),
    },
  }
}

/** Returns the components that parts of the document refer to. */
function usedIn<Component>(
  kind: string,
  components: Readonly<Record<string, Component>>,
  parts: readonly unknown[],
): Record<string, Component> {
  const text = JSON.stringify(parts)
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  )
}

const PROBLEM = ref('schemas', 'Problem')

function reportWebhook(schemas: Schemas): PathItem {
  const schema = ref('schemas', 'PaymentJob')
  return {
    post: {
      operationId: 'report',
      tags: ['Reports'],
      summary: 'A payment job has changed',
      description:
        'The hub POSTs the job to its `report_url` whenever its status changes, or the amount paid, ' +
        'refunded or charged back. A report may arrive twice, and an older state after a newer one: ' +
        'compare `lastUpdate`. Unless you answer with a 2xx within 15 s, ' +
        'the hub tries again for three days.',
      security: [],
      parameters: REPORT_HEADERS,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: sampleOf(schema, schemas) } },
      },
      responses: {
        '2XX': { description: 'You have it. The hub does not read the body of your answer.' },
        '410': { description: 'You want no more tries at this report.' },
        default: {
          description:
            'The hub tries again after 5 s, and up to ten more times in three days. It honours ' +
            '`Retry-After` up to 24 hours.',
        },
      },
    },
  }
}
