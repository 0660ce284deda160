import { HEALTH_OPERATIONS, POS_OPERATIONS } from '../../../contract/pos-operations.ts'
import { OPERATOR_OPERATIONS } from '../../../contract/operator-operations.ts'
import type { Operations } from '../../../contract/operation.ts'
import { HEADERS, REQUEST_HEADERS } from './headers.ts'
import type { Json } from './json.ts'
import { pathsOf } from './paths.ts'
import { problemResponses } from './problems.ts'
import { componentSchemas } from './schemas.ts'
import { reportWebhook } from './webhook.ts'
const ABOUT = `A payment hub between points of sale and payment service providers (PSPs). A point of sale creates a **payment
job** for an order, sends its customer to the job's \`payUrl\`, and learns by reports and reads how the payment stands.

Answers may get more members, and lists that say so more values: ignore what you do not know. Members never change their meaning.`

const TAGS: readonly Json[] = [
  { name: 'Access', description: 'Tokens, which every other request of a point of sale carries.' },
  { name: 'Payment methods', description: 'What orders may be paid by.' },
  { name: 'Payment jobs', description: 'Payments of orders.' },
  { name: 'Refunds', description: 'Money that goes back.' },
  { name: 'Reports', description: 'What the hub sends to points of sale.' },
  { name: 'Operator', description: 'What the operator of the hub does; `npx hub` is a client of it.' },
  { name: 'Health', description: 'Whether the hub answers, for monitors.' },
]

function bearer(description: string): Json {
  return { type: 'http', scheme: 'bearer', description }
}

/** The OpenAPI 3.1 document of the hub (https://spec.openapis.org/oas/v3.1.1), made from the schemas of its bodies. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment Hub',
      version: '2.0.0',
      summary: 'Payments for tills, web shops and plugins.',
      description: ABOUT,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
    },
    servers: [{ url: '/', description: 'This hub.' }],
    tags: TAGS,
    paths: pathsOf(OPERATIONS, examples satisfies Examples),
    webhooks: { report: reportWebhook() },
    components: {
      schemas: componentSchemas(),
      responses: problemResponses(),
      headers: HEADERS,
      parameters: REQUEST_HEADERS,
      securitySchemes: {
        accessToken: bearer('A token of `GET /v1/guardian`, valid for 24 hours.'),
        apiKey: bearer(
          'The API key of a point of sale. Other requests than for tokens take it too, for clients that send it.',
        ),
        operatorToken: bearer(
          'The `OPERATOR_TOKEN` of the hub, or an operator token, which has a name and a role.',
        ),
        cloudflareAccess: {
          type: 'apiKey',
          in: 'header',
          name: 'Cf-Access-Jwt-Assertion',
          description:
            'Cloudflare Access adds it, where the hub is set up for it. A change must come from a page of the hub.',
        },
        consoleSession: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-hub-session',
          description: 'The session of the console. A change must come from a page of the hub.',
        },
      },
    },
  }
}
