import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { PROBLEMS } from '../../contract/problems.ts'
import { PROJECT } from '../../programs/wrangler.ts'
import { type JsonSchema, type Schemas, byKind, ref, schemasIn } from '../openapi/openapi.ts'
import { jsonSchemas } from '../openapi/schemas.ts'

const FOLDER = join(PROJECT, 'src', 'client')

/** The client's files with declarations for its users, each after those that it needs. */
const PUBLIC = ['types', 'hub-error', 'verify-report', 'create-hub']

/** Makes the client as the hub serves it: one module and one file of types. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['client.js', await clientScript()],
    ['client.d.ts', await clientTypes()],
  ])
}

async function clientScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'client.ts')],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

async function clientTypes(): Promise<string> {
  const codes = Object.keys(PROBLEMS).map((code) => `\n  | ${JSON.stringify(code)}`)
  const declared = (await declarations()).join('\n')
  const schemas = jsonSchemas({})
  // The bodies in the client's own types, and the schemas that these consist of.
  const imported = Array.from(
    declared.matchAll(/^import .*\/contract\/.*$/gm),
    ([line]) => line.match(/\w+/g) ?? [],
  )
  const references = imported.flat().map((name) => ref('schemas', name))
  const bodies = schemasIn(references, schemas)
  const parts = [
    '// The types of /client.js, the typed client of the payment hub. Made from what the hub validates with.\n',
    schemaTypes([...bodies], schemas),
    `/** The codes of the hub's problems. */\nexport type ProblemCode =${codes.join('')}\n`,
    // All declarations go into one file, so they need no imports.
    declared.replaceAll(/^(import [^;]*|export \{\});\n/gm, ''),
  ]
  return parts.join('\n')
}

/** Returns TypeScript's declarations of the client's public files. */
async function declarations(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-types-'))
  try {
    const options =
      '--declaration --emitDeclarationOnly --target es2022 --lib ' +
      'es2024,dom,dom.iterable,dom.asynciterable --module esnext ' +
      '--moduleResolution bundler --strict --exactOptionalPropertyTypes ' +
      '--allowImportingTsExtensions --skipLibCheck --ignoreConfig --rootDir src'
    const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
    const words = [...options.split(' '), '--outDir', folder, '--types', '', join(FOLDER, 'client.ts')]
    await promisify(execFile)(process.execPath, [compiler, ...words], { cwd: PROJECT })
    return await Promise.all(PUBLIC.map((name) => readFile(join(folder, 'client', `${name}.d.ts`), 'utf8')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Longer lists of values, such as that of the currencies, become only a text. */
const MOST_VALUES = 12

/** Writes schemas as TypeScript types, for programs without Valibot. */
function schemaTypes(names: readonly string[], schemas: Schemas): string {
  const commentOf = (schema: JsonSchema): string => {
    const text = schema.description ?? schemas[schema.$ref?.split('/').at(-1) ?? '']?.description
    return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
  }

  const typeOf = (schema: JsonSchema, indent: string): string => {
    const { 'x-extensible-enum': known } = schema
    return byKind<string>(Array.isArray(known) ? { enum: known } : schema, {
      ref: (name) => name,
      values: (values) =>
        values.length > MOST_VALUES ? 'string' : values.map((value) => JSON.stringify(value)).join(' | '),
      oneOf: (choices) => [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(' | '),
      list: (item) => {
        const type = typeOf(item, indent)
        return /^\w+$/.test(type) ? `${type}[]` : `(${type})[]`
      },
      object: (properties, required) => {
        const inner = `${indent}  `
        const members = Object.entries(properties).map(([name, member]) => {
          const comment = commentOf(member).replace(/^(?=.)/, inner)
          return `${comment}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(member, inner)}\n`
        })
        return `{\n${members.join('')}${indent}}`
      },
      plain: (type) => (type === 'integer' ? 'number' : type),
    })
  }

  return names
    .map((name) => {
      const schema = schemas[name] ?? {}
      return `${commentOf(schema)}export type ${name} = ${typeOf(schema, '')}\n`
    })
    .join('\n')
}
