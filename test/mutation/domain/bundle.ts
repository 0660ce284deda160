import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { type Metafile, build } from 'esbuild'

/** All tests of the domain in one script, and for each source file the test files that import it, directly or not. */
export type Bundle = {
  readonly script: string
  readonly testsOf: ReadonlyMap<string, readonly string[]>
  /** Files that remember what they computed: there a mutant needs a copy that has computed nothing yet. */
  readonly remembering: readonly string[]
  /** One more than the highest id of its mutants. */
  readonly count: number
}

const root = join(import.meta.dirname, '../../..')
/** What is not mutated is loaded once. */
const LOADED_ONCE = ['valibot', 'fast-check']

/** A variable, or something that grows, which is there for as long as the module is. */
const KEEPS = /^(let |(export )?const \w+ = (new (Map|Set|WeakMap)|remembered)\b)/m

function importsOf({ inputs }: Metafile, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const { path } of inputs[file]?.imports ?? []) importsOf({ inputs, outputs: {} }, path, seen)
  return seen
}

/** Puts the tests of the domain and what they import into one script, with the mutated files in place of theirs. */
export async function bundleTests(code: ReadonlyMap<string, string>, count: number): Promise<Bundle> {
  const tests = (await Array.fromAsync(glob('test/domain/**/*.test.ts', { cwd: root }))).toSorted()
  const entry = tests.map((file) => `collected.file = '${file}'; require('./${file}')`).join('\n')
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: root, sourcefile: 'all-tests.js' },
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    external: LOADED_ONCE,
    write: false,
    metafile: true,
    plugins: [
      {
        name: 'mutants',
        setup(plugin) {
          plugin.onResolve({ filter: /^vitest$/ }, () => ({ path: join(import.meta.dirname, 'collect.ts') }))
          plugin.onLoad({ filter: /src\/domain\/.+\.ts$/ }, ({ path }) => {
            const contents = code.get(normalize(path).slice(root.length + (root.endsWith('/') ? 0 : 1)))
            return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: dirname(path) }
          })
        },
      },
    ],
  })
  const imports = new Map(tests.map((file) => [file, importsOf(metafile, file)]))
  const testsOf = new Map(
    [...code.keys()].map((file) => [file, tests.filter((test) => imports.get(test)?.has(file))]),
  )
  const remembering = [...code].flatMap(([file, text]) => (KEEPS.test(text) ? [file] : []))
  return { script: outputFiles[0]?.text ?? '', testsOf, remembering, count }
}
