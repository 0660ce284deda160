import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openApiDocument } from '../../src/tools/site/openapi/document.ts'

it('the document is valid OpenAPI 3.1, and the recommended rules find nothing in it', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problemsOf = async (document: object) => {
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    return problems.map(({ message }) => message)
  }
  const document = openApiDocument()
  expect(await problemsOf(document)).toEqual([])
  // And they look at all of it.
  expect(await problemsOf({ ...document, paths: { '/jobs': { get: {} } } })).not.toEqual([])
})
