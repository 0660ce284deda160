import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { type Plugin, build } from 'esbuild'
import { openApiDocument } from '../../src/cli/site/openapi/document.ts'
import { answerTable } from '../support/openapi/answer-table.ts'
import { strict } from './strict.ts'

const document = openApiDocument()
const SCHEMAS = (document['components'] as { schemas: Record<string, object> }).schemas

/** The table of answers, and the schemas that they must fit. */
export const TABLE = answerTable(document)

/** A validator of all schemas of the document, as strict as answers must be. `code` is for what `standalone` makes of it. */
export const strictAjv = (code: { source?: true; esm?: true } = {}) => {
  const ajv = new Ajv2020({ allowUnionTypes: true, code })
  addFormats.default(ajv)
  ajv.addKeyword('x-extensible-enum')
  for (const [name, schema] of Object.entries(SCHEMAS))
    ajv.addSchema(byAddress(strict(schema)), schemaAddress(name))
  return ajv
}

export const schemaAddress = (name: string): string => `https://hub.invalid/${name}`

/** The components refer to each other by their place in the document: here each has an address of its own. */
const byAddress = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', schemaAddress(''))) as object

const ROOT = join(import.meta.dirname, '..', '..')

/** Gives esbuild a module that is in no file. */
const given = (name: string, contents: string): Plugin => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }))
    onLoad({ filter: /./, namespace: name }, () => ({ contents, resolveDir: ROOT }))
  },
})

/**
 * The table, and a validator for each schema, as a module without imports: workerd forbids code that is made while it runs, and so
 * ajv itself.
 */
export const standalone = async (): Promise<string> => {
  const rules = TABLE.operations.flatMap(({ answers }) => Object.values(answers).flat())
  const names = [...new Set(rules.map(({ schema }) => schema))].filter((name) => name !== '')
  const ajv = strictAjv({ source: true, esm: true })
  const exported = Object.fromEntries(names.map((name) => [name, schemaAddress(name)]))
  const code = standaloneCode.default(ajv, exported)
  const contents = `import * as VALIDATORS from 'validators'\nexport const TABLE = ${JSON.stringify(TABLE)}\nexport { VALIDATORS }`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    plugins: [given('validators', code)],
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
