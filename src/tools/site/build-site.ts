import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { PROJECT } from '../wrangler.ts'
import { writeFolder } from './write-folder.ts'

/** `npm run build:site`: makes the static files of wrangler.toml's [assets]. Each deploy runs it, and each local build. */

// Node takes the types out of .ts files by itself, but knows no JSX.
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

const { siteFiles } = await import('./site-files.ts')
await writeFolder(join(PROJECT, '.wrangler', 'site'), await siteFiles())
