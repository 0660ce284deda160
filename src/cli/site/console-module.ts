import { join } from 'node:path'
import { build } from 'esbuild'
import { PROJECT } from '../wrangler.ts'
import { write } from './write-folder.ts'

const FOLDER = join(PROJECT, 'src', 'console')

/** Bundles the console's pages into the module that the Worker loads when somebody asks for one: wrangler.toml names it. */
export const buildConsole = async (): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'serve.tsx')],
    outfile: join(FOLDER, 'console.mjs'),
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) await write(path, contents)
}
