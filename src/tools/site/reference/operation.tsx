import { HUB } from '../../../site/placeholder.ts'
import { highlight } from '../highlight.ts'
import { type Document, type Listed, headersOf, nameOf } from './document.ts'
import { exampleOf } from './example.ts'
import { ComponentLink, Fields, Inline, Kind } from './fields.tsx'

/** What is sent as a Bearer token. What browsers send by themselves the page tells once. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  accessToken: 'access token',
  apiKey: 'API key',
  operatorToken: 'operator token',
}

/** Every request and answer may have it, which the page says once. */
const REQUEST_ID = 'X-Request-Id'

/** All about one operation: who may, what is sent, what comes back, what can go wrong. */
export function OperationSection({ document, listed }: { document: Document; listed: Listed }) {
  const { method, path, operation } = listed
  const parameters = listed.parameters.filter(({ name }) => name !== REQUEST_ID)
  const { operationId, summary, description, security, requestBody } = operation
  const credentials = security.flatMap((one) => Object.keys(one).map((name) => CREDENTIALS[name] ?? []))
  return (
    <section id={operationId} class="operation">
      <h2>
        <a class="anchor" href={`#${operationId}`}>
          {summary}
        </a>
      </h2>
      <p class="address">
        <strong>{method}</strong> <code>{path}</code>
      </p>
      {description && (
        <p>
          <Inline text={description} />
        </p>
      )}
      {credentials.length > 0 && (
        <p class="soft">Authorization: Bearer, with the {credentials.join(' or the ')}</p>
      )}
      <ParameterTable parameters={parameters} />
      {requestBody && <Body document={document} body={requestBody} />}
      {path.startsWith('/') && <Code text={curlOf(document, listed)} language="sh" />}
      {Object.entries(operation.responses)
        .filter(([status]) => /^[23]/.test(status))
        .map(([status, response]) => (
          <Answer document={document} status={status} response={response} />
        ))}
      <Problems codes={operation['x-problem-codes']} />
    </section>
  )
}

function Code({ text, language }: { text: string; language: string }) {
  return (
    <pre tabindex={0}>
      <code dangerouslySetInnerHTML={{ __html: highlight(text, language) }} />
    </pre>
  )
}

function ParameterTable({ parameters }: Pick<Listed, 'parameters'>) {
  if (parameters.length === 0) return null
  return (
    <>
      <h3>Parameters</h3>
      <div class="table" tabindex={0}>
        <table class="fields">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">what it is</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map(({ name, in: where, description, schema, required }) => (
              <tr>
                <td>
                  <code>{name}</code>
                  <br />
                  <span class="soft">
                    {where}
                    {required ? '' : ', may be missing'}
                  </span>
                </td>
                <td>
                  {schema && (
                    <p class="kind">
                      <Kind schema={schema} />
                    </p>
                  )}
                  {description && <Inline text={description} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

type Content = NonNullable<Listed['operation']['requestBody']>['content']

/** The schema and the example of a body in JSON. */
function jsonOf(document: Document, content: Content | undefined) {
  const { schema, example } = content?.['application/json'] ?? {}
  if (!schema) return null
  const { schemas } = document.components
  const name = schema.$ref === undefined ? null : nameOf(schema.$ref)
  const resolved = name === null ? schema : (schemas[name] ?? {})
  return { name, schema: resolved, example: JSON.stringify(example ?? exampleOf(resolved, schemas), null, 2) }
}

function Body({
  document,
  body,
}: {
  document: Document
  body: NonNullable<Listed['operation']['requestBody']>
}) {
  const json = jsonOf(document, body.content)
  return (
    <>
      <h3>What you send</h3>
      {!body.required && <p>The body may be left out.</p>}
      {json && <Fields schema={json.schema} caption="Fields of the request" />}
    </>
  )
}

type Answered = { document: Document; status: string; response: Listed['operation']['responses'][string] }

function Answer({ document, status, response }: Answered) {
  const json = jsonOf(document, response.content)
  const headers = headersOf(document, response).filter(([name]) => name !== REQUEST_ID)
  return (
    <>
      <h3>The answer: {status}</h3>
      {response.description && (
        <p>
          <Inline text={response.description} />
          {json?.name && (
            <>
              {' '}
              Its fields: <ComponentLink name={json.name} />.
            </>
          )}
        </p>
      )}
      {json && <Code text={json.example} language="json" />}
      {headers.length > 0 && (
        <ul class="headers">
          {headers.map(([name, about]) => (
            <li>
              <code>{name}</code>: <Inline text={about} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Problems({ codes }: { codes: Readonly<Record<string, readonly string[]>> }) {
  if (Object.keys(codes).length === 0) return null
  return (
    <>
      <h3>What can go wrong</h3>
      <ul class="problems">
        {Object.entries(codes).map(([status, names]) => (
          <li>
            <strong>{status}</strong>{' '}
            {names.map((code, at) => (
              <>
                {at > 0 && ', '}
                <a href={`/docs/errors#${code}`}>{code}</a>
              </>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The request as a command. Ids in the path are variables of the shell. */
function curlOf(document: Document, { method, path, operation, parameters }: Listed): string {
  const secret = operation.security.some((one) => 'operatorToken' in one)
    ? '$OPERATOR_TOKEN'
    : operation.security.every((one) => 'apiKey' in one)
      ? '$API_KEY'
      : '$TOKEN'
  const json = jsonOf(document, operation.requestBody?.content)
  const key = parameters.find(({ name }) => name === 'Idempotency-Key')?.example
  const address =
    HUB + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? '$ID' : '2026-11-21'))
  return [
    `curl -s${method === 'GET' || json ? '' : ` -X ${method}`} "${address}" -H "Authorization: Bearer ${secret}"`,
    ...(typeof key === 'string' ? [`-H 'Idempotency-Key: ${key}'`] : []),
    ...(json ? [`-H 'Content-Type: application/json' -d '${json.example}'`] : []),
  ].join(' \\\n  ')
}
