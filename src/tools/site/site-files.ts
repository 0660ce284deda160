import { clientFiles } from './client/client-files.ts'
import { homePage } from './home.tsx'
import { openApiDocument } from './openapi/document.ts'
import { tillPage } from './till-page.tsx'
import { join } from 'node:path'
import { PROJECT } from '../wrangler.ts'
import { type SiteFiles, readFolder } from './write-folder.ts'
import { readdir } from 'node:fs/promises'
import { build } from 'esbuild'

/**
 * What the site is made of. A part gives its files by their path; a new part has its line here. Two
 * parts that give the same path are a fault.
 */
const PARTS: readonly (() => Promise<SiteFiles>)[] = [
  staticFiles,
  browserScripts,
  clientFiles,
  homePage,
  tillPage,
  openApiFile,
]

/** All files of the site but the docs. Throws when a part cannot be made. */
export async function siteFiles(): Promise<SiteFiles> {
  const all = new Map<string, string | Uint8Array>()
  for (const files of await Promise.all(PARTS.map((part) => part()))) {
    for (const [path, content] of files) {
      if (all.has(path)) throw new Error(`two parts of the site make ${path}`)
      all.set(path, content)
    }
  }
  return all
}

/** The OpenAPI document at `/openapi.json`, in lines, so that people can read it too. */
async function openApiFile(): Promise<SiteFiles> {
  return new Map([['openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`]])
}

/** The files that are served as they are. */
function staticFiles(): Promise<SiteFiles> {
  return readFolder(join(PROJECT, 'src', 'site', 'static'))
}

const FOLDER = join(PROJECT, 'src', 'site', 'browser')

/**
 * Bundles each `src/site/browser/NAME.ts`, with what it imports, into the module `/assets/NAME.js`.
 * Folders hold parts of them.
 */
async function browserScripts(): Promise<SiteFiles> {
  const entries = (await readdir(FOLDER, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map(({ name }) => join(FOLDER, name))
  const { outputFiles } = await build({
    entryPoints: entries,
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
  return new Map(outputFiles.map(({ path, contents }) => [path.slice(1), contents]))
}
