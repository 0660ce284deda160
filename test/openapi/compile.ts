import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { type Plugin, build } from 'esbuild'
import { answerTable } from '../support/openapi/answer-table.ts'
import type { Validate } from '../support/openapi/judge.ts'
import { strict } from './strict.ts'
import { WHOLE } from './whole-document.ts'

const SCHEMAS = WHOLE.components['schemas'] as Record<string, object>

/** The table of answers, and the schemas that they must match. */
export const TABLE = answerTable(WHOLE)

type Code = { source?: true; esm?: true }

function ajvOf(code: Code, change: (schema: object) => unknown): Ajv2020 {
  const ajv = new Ajv2020({ allowUnionTypes: true, code })
  addFormats.default(ajv)
  for (const keyword of ['x-extensible-enum']) ajv.addKeyword(keyword)
  for (const [name, schema] of Object.entries(SCHEMAS))
    ajv.addSchema(byAddress(change(schema)), addressOf(name))
  return ajv
}

function addressOf(name: string): string {
  return `https://hub.invalid/${name}`
}

/** Components refer to each other by their place: here each gets an address. */
function byAddress(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', addressOf(''))) as object
}

/** Validates the bodies of answers, as strictly as this release must be; null for a valid one. */
export function answerValidator(): Validate {
  return validatorOf(ajvOf({}, strict))
}

/** Validates the bodies of requests, as the document says; null for a valid one. */
export function requestValidator(): Validate {
  return validatorOf(ajvOf({}, (schema) => schema))
}

function validatorOf(ajv: Ajv2020): Validate {
  return (name, body) => {
    const validate = ajv.getSchema(addressOf(name))
    if (!validate) throw new Error(`the document has no schema ${name}`)
    return validate(body) === true ? null : ajv.errorsText(validate.errors)
  }
}

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * The validators of answers and requests, as a module without imports: workerd forbids code that is made at
 * run time, and so ajv itself. `ANSWERS` and `REQUESTS` have one for each schema.
 */
export async function standalone(): Promise<string> {
  const rules = TABLE.operations.flatMap(({ answers }) => Object.values(answers).flat())
  const modules: Record<string, string> = {
    answers: codeOf(
      rules.map(({ schema }) => schema),
      strict,
    ),
    requests: codeOf(requestSchemas(), (schema) => schema),
  }
  const contents = `import * as ANSWERS from 'answers'
    import * as REQUESTS from 'requests'
    export const TABLE = ${JSON.stringify(TABLE)}
    export { ANSWERS, REQUESTS }`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    plugins: [inMemory(modules)],
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

function codeOf(names: readonly string[], change: (schema: object) => unknown): string {
  const exported = [...new Set(names)]
    .filter((name) => name !== '')
    .map((name) => [name, addressOf(name)] as const)
  return standaloneCode.default(ajvOf({ source: true, esm: true }, change), Object.fromEntries(exported))
}

/** The schemas of requests, which differ from those of answers by their names. */
function requestSchemas(): string[] {
  return Object.keys(SCHEMAS).filter((name) => /^(Operator)?(New|Changed)(?!.*Created$)/.test(name))
}

/** Provides esbuild with modules that are in no file. */
function inMemory(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^(${Object.keys(modules).join('|')})$`) }, ({ path }) => ({
        path,
        namespace: 'memory',
      }))
      onLoad({ filter: /./, namespace: 'memory' }, ({ path }) => ({
        contents: modules[path] ?? '',
        resolveDir: ROOT,
      }))
    },
  }
}
