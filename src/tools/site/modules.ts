import { join } from 'node:path'
import { type Plugin, build } from 'esbuild'
import { PROJECT } from '../wrangler.ts'
import { write } from './write-folder.ts'

const SRC = join(PROJECT, 'src')

/** The modules that the Worker loads when it needs them, and what each is made of: wrangler.toml takes all of their folder. */
export const MODULES = {
  'checkout-pages': 'checkout/pages.ts',
  console: 'console/serve.tsx',
  sandbox: 'sandbox/routes.ts',
  watch: 'monitoring/watch-all.ts',
  weather: 'job/announce-order.ts',
  'weather-report': 'weather-report/serve.ts',
  why: 'job/rules/why/why.ts',
} as const

/** What one of the modules loads in turn stays where it is: they all stand in one folder, where the Worker is, too. */
const besideEachOther: Plugin = {
  name: 'beside-each-other',
  setup(building) {
    building.onResolve({ filter: /^\.\/[\w-]+\.mjs$/ }, ({ path, importer }) =>
      importer === join(SRC, 'modules', 'load.ts') ? { path, external: true } : undefined,
    )
  },
}

/** Bundles each of the modules that stand beside the Worker's own, in src/modules. */
export async function buildModules(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: Object.entries(MODULES).map(([out, file]) => ({ in: join(SRC, file), out })),
    outdir: join(SRC, 'modules'),
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [besideEachOther],
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) await write(path, contents)
}
