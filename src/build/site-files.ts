import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PROJECT } from '../programs/wrangler.ts'
import { clientFiles } from './client/client-files.ts'
import { kitPackage, noticesOf } from './kit.ts'
import { openApiDocument } from './openapi/document.ts'
import { pages } from './pages.ts'
import { type SiteFiles, readFolder } from './built-folder.ts'

const SOURCES = join(PROJECT, 'src')

/** The scripts of the pages. */
const SCRIPTS = ['till/till.tsx', 'console/browser/console.ts', 'checkout/browser/live.ts']

/** Makes all files of the site except the docs. Throws when a part fails. */
export async function siteFiles(): Promise<SiteFiles> {
  const clientIn = (language: string) => readFile(join(SOURCES, 'client', `client.${language}`))
  const clients = new Map<string, string | Uint8Array>([
    ...(await clientFiles()),
    ['client.php', await clientIn('php')],
    ['client.py', await clientIn('py')],
  ])
  return new Map<string, string | Uint8Array>([
    ...(await readFolder(join(SOURCES, 'site', 'static'))),
    ...(await browserScripts()),
    ...pages(),
    ...clients,
    ['kit.tgz', await kitPackage(clients)],
    ['openapi.json', `${JSON.stringify(openApiDocument('shops'), null, 2)}\n`],
    ['operator/openapi.json', `${JSON.stringify(openApiDocument('operators'), null, 2)}\n`],
  ])
}

/** Bundles each script `NAME.ts`, with its imports, into the module `/assets/NAME.js`. */
async function browserScripts(): Promise<SiteFiles> {
  const { outputFiles, metafile } = await build({
    entryPoints: SCRIPTS.map((path) => join(SOURCES, path)),
    entryNames: '[name]',
    absWorkingDir: PROJECT,
    metafile: true,
    outdir: '/assets',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  })
  const scripts = outputFiles.map(({ path, contents }) => [path.slice(1), contents] as const)
  return new Map<string, string | Uint8Array>([
    ...scripts,
    ['assets/NOTICES.txt', await noticesOf(Object.keys(metafile.inputs))],
  ])
}
