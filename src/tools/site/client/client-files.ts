import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { PROBLEMS } from '../../../contract/problems.ts'
import { PROJECT } from '../../wrangler.ts'
import { jsonSchemas } from '../openapi/schemas.ts'
import { schemaTypes } from './schema-types.ts'

const FOLDER = join(PROJECT, 'src', 'client')

/**
 * The files of the client whose declarations are all that its users see, each with what it needs
 * before it.
 */
const PUBLIC = ['types', 'hub-error', 'verify-report', 'create-hub']

/** Types of bodies that the client's own types name, and those that these are made of. */
const BODIES = [
  'Status',
  'Action',
  'Stage',
  'RefundStatus',
  'Step',
  'PaymentJob',
  'CreatedPaymentJob',
  'NewPaymentJob',
  'NewRefund',
  'Advance',
  'Refund',
  'MethodLimit',
  'UsableMethod',
  'PaymentMethods',
  'ListedPaymentJob',
  'PaymentJobList',
  'JobReport',
  'OwnFailingReports',
]

/**
 * The typed client as the hub serves it: one module, and one file with its types, which need
 * nothing else.
 */
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
  const parts = [
    '// The types of /client.js, the typed client of the payment hub. Made from what the hub validates with.\n',
    schemaTypes(BODIES, jsonSchemas({})),
    `/** The codes of the hub's problems. */\nexport type ProblemCode =${codes.join('')}\n`,
    ...(await declarations()),
  ]
  return parts.join('\n')
}

/**
 * What TypeScript declares of the client's public files, without their imports: all of it comes to
 * stand in one file.
 */
async function declarations(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-types-'))
  try {
    const options =
      '--declaration --emitDeclarationOnly --target es2022 --lib ' +
      'es2024,dom,dom.iterable,dom.asynciterable --module esnext ' +
      '--moduleResolution bundler --strict --exactOptionalPropertyTypes ' +
      '--allowImportingTsExtensions --skipLibCheck --ignoreConfig'
    const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
    const source = join(PROJECT, 'src')
    await promisify(execFile)(process.execPath, [
      compiler,
      ...options.split(' '),
      '--rootDir',
      source,
      '--outDir',
      folder,
      '--types',
      '',
      join(FOLDER, 'client.ts'),
    ])
    return await Promise.all(PUBLIC.map((name) => declarationsOf(join(folder, 'client', `${name}.d.ts`))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function declarationsOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8'))
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export \{\};\n/gm, '')
}
