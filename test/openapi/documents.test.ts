import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/build/openapi/document.ts'
import { answerValidator, requestValidator } from './compile.ts'
import { WHOLE } from './whole-document.ts'

describe.each(['shops', 'operators'] as const)('the document for %s', (audience) => {
  const document = openApiDocument(audience)

  it('is valid OpenAPI 3.1, and keeps the recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ message }) => message)).toEqual([])
  })

  it('names its objects once, with names for generated classes', () => {
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/"title":"/)
  })

  it('has nothing for other readers', () => {
    const isOfOperators = audience === 'operators'
    for (const path of Object.keys(document.paths)) expect(path.startsWith('/operator/')).toBe(isOfOperators)
    expect('webhooks' in document).toBe(!isOfOperators)
    expect(JSON.stringify(document.components).includes('operatorToken')).toBe(isOfOperators)
    expect('OperatorToken' in document.components.schemas).toBe(isOfOperators)
    expect('NewPaymentJob' in document.components.schemas).toBe(!isOfOperators)
  })
})

const [answers, requests] = [answerValidator(), requestValidator()]

type Content = { content?: { 'application/json'?: { schema: { $ref: string }; example: unknown } } }
type Described = { operationId: string; requestBody?: Content; responses: Record<string, Content> }

const paths = Object.values(WHOLE.paths as unknown as Record<string, Record<string, Described>>)
const OPERATIONS = paths.flatMap(({ parameters: _parameters, ...methods }) => Object.values(methods))

function fits(validate: typeof answers, { content }: Content = {}): string | null {
  const json = content?.['application/json']
  return json ? validate(json.schema.$ref.split('/').at(-1) ?? '', json.example) : null
}

it.each(OPERATIONS)('the examples of $operationId fit its schemas', ({ requestBody, responses }) => {
  expect(fits(requests, requestBody)).toBeNull()
  for (const response of Object.values(responses)) expect(fits(answers, response)).toBeNull()
})
