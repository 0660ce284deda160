import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { PROJECT } from '../wrangler.ts'
import { hashOfSources, isBuiltOf, MARK } from './sources-hash.ts'

/**
 * `npm run build:site`: makes the static files of wrangler.toml's [assets]. Every build of the
 * Worker runs it, and it makes only what has other sources than last time. With `DOCS=none` it
 * leaves the docs, which take VitePress some seconds.
 */
const SITE = join(PROJECT, '.wrangler', 'site')

const sources = hashOfSources()
if (!isBuiltOf(SITE, sources)) {
  loadJsx()
  const [{ siteFiles }, { write, writeFolder }] = await Promise.all([
    import('./site-files.ts'),
    import('./write-folder.ts'),
  ])
  await writeFolder(SITE, await siteFiles(), 'docs')
  await write(join(SITE, MARK), sources)
}
if (process.env['DOCS'] !== 'none' && !isBuiltOf(join(SITE, 'docs'), sources)) {
  const { buildDocs } = await import('./docs/build-docs.ts')
  await buildDocs(join(SITE, 'docs'), sources)
}

/** Node takes the types out of .ts files by itself, but knows no JSX. */
function loadJsx(): void {
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith('file:') || !url.endsWith('.tsx')) return next(url, context)
      const file = fileURLToPath(url)
      const { code } = transformSync(readFileSync(file, 'utf8'), {
        loader: 'tsx',
        jsx: 'automatic',
        jsxImportSource: 'preact',
        sourcefile: file,
        sourcemap: 'inline',
      })
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
}
