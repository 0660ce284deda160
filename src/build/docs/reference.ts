import { HUB } from '../../contract/placeholder.ts'
import {
  type Content,
  type JsonSchema,
  type Listed,
  type OpenApi,
  type Response,
  nameOf,
  ref,
  schemasIn,
  operationsOf,
} from '../openapi/openapi.ts'
import { OPERATOR_PAGES } from './order.ts'
import { componentLink, described, fieldsTable, kindOf, prose, table } from './fields.ts'

const ALWAYS = `- Bodies are JSON in UTF-8, with \`Content-Type: application/json\`.
- Send \`Authorization: Bearer\` and the secret that the operation names.
- Send an \`X-Request-Id\` of your own if you like (1 to 128 letters, digits, \`.\`, \`_\`, \`:\`, \`-\`). Each answer has it,
  or a new one, and so has the log of the hub.
- Answers of an API have \`X-Signature\` once the hub knows who asks: [how to verify it](webhooks.md#verify-a-report).
- The hub limits requests: [how many](limits.md). It answers what is too much with 429 and \`Retry-After\`.
- Ignore members that you do not know: [what may be added](versioning.md).
- A problem has a \`code\`, by which programs decide: [all codes](errors.md#by-code).`

const OF_SHOPS = `What you send in each operation, what comes back, and what can go wrong. This page is made from the
[OpenAPI document](${HUB}/openapi.json), which is made from the code that checks requests.\n\n${ALWAYS}`

const OF_A_GROUP =
  'Part of the [operator API](operator-reference.md), which says what holds for every operation.'

/** Makes the reference: one page for shops, and one for each group of the operator API. */
export function referencePages(ofShops: OpenApi, ofOperators: OpenApi): Map<string, string> {
  const forShops = [ofShops.paths, ofShops.webhooks ?? {}].flatMap((items) => operationsOf(ofShops, items))
  const operators = Object.groupBy(operationsOf(ofOperators, ofOperators.paths), operatorPageOf)
  const groups = OPERATOR_PAGES.map(([name, title]) => ({
    name,
    title,
    operations: operators[name] ?? [],
  }))
  return new Map<string, string>([
    ['reference', page('Reference', OF_SHOPS, ofShops, forShops)],
    ['operator-reference', operatorOverview(groups)],
    ...groups.map(({ name, title, operations }): [string, string] => [
      name,
      page(title, OF_A_GROUP, ofOperators, operations),
    ]),
  ])
}

function operatorPageOf({ path }: Listed): string {
  const [, , , word = ''] = path.split('/')
  const [name] = OPERATOR_PAGES.find(([, , words]) => words.includes(word)) ?? OPERATOR_PAGES.at(-1) ?? ['']
  return name
}

type Group = { name: string; title: string; operations: readonly Listed[] }

function operatorOverview(groups: readonly Group[]): string {
  const lists = groups.map(({ name, title, operations }) => {
    const rows = operations.map(({ method, path, operation }) => [
      `[${operation.summary}](${name}.md#${operation.operationId})`,
      `\`${method} ${path}\``,
    ])
    return `## [${title}](${name}.md) {#${name}}\n\n${table(['operation', 'address'], rows)}`
  })
  return `# Operator API

What the operator of the hub does, which is what \`npx hub\` uses. In place of a token, Cloudflare Access or a session of the
console may say who asks: then a change must come from a page of the hub. It is made from the [OpenAPI document](${HUB}/operator/openapi.json). Points
of sale have the [reference](reference.md).

${ALWAYS}

${lists.join('\n\n')}
`
}

function page(title: string, about: string, document: OpenApi, operations: readonly Listed[]): string {
  const { schemas } = document.components
  const bodies = operations.map(({ operation }) => [operation.requestBody, operation.responses])
  const named = schemasIn([bodies, ref('schemas', 'Problem')], schemas)
  const objects = [...named].map((name) => {
    const schema = schemas[name] ?? {}
    const fields = schema.properties ? fieldsTable(schema) : kindOf(schema)
    return paragraphs(`### ${name} {#${name}}`, prose(schema.description), fields)
  })
  return `${paragraphs(
    `# ${title}`,
    about,
    ...operations.map((listed) => operationSection(document, listed)),
    '## Objects {#objects}',
    ...objects,
  )}\n`
}

/** The credentials that are Bearer tokens. Browsers send the others by themselves. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  accessToken: 'access token',
  apiKey: 'API key',
  operatorToken: 'operator token',
}

/** Every request and answer may have this header, so the page names it once. */
const REQUEST_ID = 'X-Request-Id'

function operationSection(document: OpenApi, listed: Listed): string {
  const { method, path, operation } = listed
  const { security, requestBody, responses, 'x-problem-codes': codes = {} } = operation
  const secrets = security.flatMap((one) => Object.keys(one).flatMap((name) => CREDENTIALS[name] ?? []))
  const body = requestBody && bodyOf(document, requestBody.content)
  return paragraphs(
    `## ${operation.summary} {#${operation.operationId}}`,
    `\`${method} ${path.startsWith('/') ? path : 'your report_url'}\``,
    prose(operation.description),
    secrets.length > 0 && `Authorization: Bearer, with the ${secrets.join(' or the ')}.`,
    parametersOf(listed),
    body && `**What you send**${requestBody.required ? '' : ' (the body may be left out)'}`,
    body && sentFields(document, body.schema),
    path.startsWith('/') && fence('sh', curlOf(listed, body?.example)),
    ...Object.entries(responses)
      .filter(([status]) => /^[23]/.test(status))
      .map(([status, response]) => answerOf(document, status, response)),
    problemsOf(codes),
  )
}

/** Describes a body: its fields, or the objects of which it is one. */
function sentFields({ components: { schemas } }: OpenApi, schema: JsonSchema): string {
  const choices = schema.anyOf?.flatMap(({ $ref }) => ($ref === undefined ? [] : [nameOf($ref)])) ?? []
  if (choices.length === 0) return fieldsTable(schema)
  const lines = choices.map((name) => `- ${componentLink(name)}: ${prose(schemas[name]?.description)}`)
  return `One of these:\n\n${lines.join('\n')}`
}

function parametersOf({ parameters }: Listed): string {
  const rows = parameters
    .filter(({ name }) => name !== REQUEST_ID)
    .map(({ name, in: where, required, schema = {}, description }) => [
      `\`${name}\`<br>${where}${required ? '' : ', may be missing'}`,
      described(schema, description),
    ])
  return paragraphs(rows.length > 0 && '**Parameters**', table(['name', 'what it is'], rows))
}

function answerOf(document: OpenApi, status: string, response: Response): string {
  const body = bodyOf(document, response.content)
  const fields = body?.name === undefined ? '' : ` Its fields: ${componentLink(body.name)}.`
  const headers = Object.entries(response.headers ?? {})
    .filter(([name]) => name !== REQUEST_ID)
    .map(([name, { $ref }]) => {
      return `- \`${name}\`: ${prose(document.components.headers[nameOf($ref)]?.description)}`
    })
  return paragraphs(
    `**The answer: ${status}.** ${prose(response.description)}${fields}`,
    body && fence('json', body.example),
    headers.join('\n'),
  )
}

function problemsOf(codes: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(codes).map(
    ([status, names]) => `- **${status}** ${names.map((code) => `[${code}](errors.md#${code})`).join(', ')}`,
  )
  return paragraphs(lines.length > 0 && '**What can go wrong**', lines.join('\n'))
}

function bodyOf({ components: { schemas } }: OpenApi, content: Content | undefined) {
  const { schema, example } = content?.['application/json'] ?? {}
  if (!schema) return undefined
  const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref)
  const resolved = name === undefined ? schema : (schemas[name] ?? {})
  return { name, schema: resolved, example: JSON.stringify(example, null, 2) }
}

function curlOf({ method, path, operation, parameters }: Listed, body: string | undefined): string {
  const { security } = operation
  const secret = security.some((one) => 'operatorToken' in one)
    ? '$OPERATOR_TOKEN'
    : security.every((one) => 'apiKey' in one)
      ? '$API_KEY'
      : '$TOKEN'
  const key = parameters.find(({ name }) => name === 'Idempotency-Key')?.example
  const address =
    HUB + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? '$ID' : '2026-11-21'))
  const verb = method === 'GET' || body !== undefined ? '' : ` -X ${method}`
  return [
    `curl -s${verb} "${address}"`,
    ...(security.length > 0 ? [`-H "Authorization: Bearer ${secret}"`] : []),
    ...(typeof key === 'string' ? [`-H 'Idempotency-Key: ${key}'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d '${body}'`]),
  ].join(' \\\n  ')
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

function paragraphs(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n')
}
