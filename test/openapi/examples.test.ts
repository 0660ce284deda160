import { expect, it } from 'vitest'
import { openApiDocument } from '../../src/tools/site/openapi/document.ts'
import { answerValidator, requestValidator } from './compile.ts'

const [answers, requests] = [answerValidator(), requestValidator()]

type Content = { content?: { 'application/json'?: { schema: { $ref: string }; example: unknown } } }
type Described = { operationId: string; requestBody?: Content; responses: Record<string, Content> }

const paths = Object.values(openApiDocument()['paths'] as Record<string, Record<string, Described>>)
const OPERATIONS = paths.flatMap(({ parameters: _parameters, ...methods }) => Object.values(methods))

function fits(validate: typeof answers, { content }: Content = {}): string | null {
  const json = content?.['application/json']
  return json ? validate(json.schema.$ref.split('/').at(-1) ?? '', json.example) : null
}

it.each(OPERATIONS)('the examples of $operationId fit its schemas', ({ requestBody, responses }) => {
  expect(fits(requests, requestBody)).toBeNull()
  for (const response of Object.values(responses)) expect(fits(answers, response)).toBeNull()
})
