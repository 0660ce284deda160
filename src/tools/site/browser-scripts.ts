import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PROJECT } from '../wrangler.ts'
import type { SiteFiles } from './site-file.ts'

const FOLDER = join(PROJECT, 'src', 'site', 'browser')

/** Bundles each `src/site/browser/NAME.ts`, with what it imports, into the module `/assets/NAME.js`. Folders hold parts of them. */
export async function browserScripts(): Promise<SiteFiles> {
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
