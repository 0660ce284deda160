import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Makes the folders of another PSP, with a skeleton that compiles and is registered. Its contract tests fail, and
 * say what it lacks: docs/psps/add-a-psp.md.
 */
const [, , id = '', name = id.replace(/^./, (first) => first.toUpperCase())] = process.argv
if (!/^[a-z][a-z0-9]+$/.test(id)) {
  console.error('npm run new:psp ID [NAME], for example: npm run new:psp paypal PayPal')
  process.exit(2)
}

const PROJECT = join(import.meta.dirname, '..', '..', '..')
const SKELETON = join(import.meta.dirname, 'skeleton')

/** Where each file of the skeleton goes. */
const PLACES = {
  'adapter.ts': `src/psp/${id}/adapter.ts`,
  'tables.ts': `src/psp/${id}/tables.ts`,
  'samples.ts': `test/psp/${id}/samples.ts`,
  'stage.ts': `test/psp/${id}/stage.ts`,
  'double.ts': `test/support/psps/${id}.ts`,
  'page.md': `docs/psps/${id}.md`,
}

function renamed(text: string): string {
  return text.replaceAll('skeleton', id).replaceAll('SKELETON', id.toUpperCase()).replaceAll('Skeleton', name)
}

/** Returns the text of a file at its new place, with imports that lead to the same files from there. */
function moved(file: keyof typeof PLACES): string {
  const text = readFileSync(join(SKELETON, file), 'utf8')
  const at = dirname(join(PROJECT, PLACES[file]))
  const withImports = text.replaceAll(/from '(\.[^']+)'/g, (_, path: string) => {
    const own = Object.entries(PLACES).find(([one]) => path === `./${one}`)
    const to = relative(at, own ? join(PROJECT, own[1]) : join(SKELETON, path))
    return `from '${to.startsWith('.') ? to : `./${to}`}'`
  })
  return renamed(withImports)
}

for (const [file, place] of Object.entries(PLACES)) {
  mkdirSync(dirname(join(PROJECT, place)), { recursive: true })
  writeFileSync(join(PROJECT, place), moved(file as keyof typeof PLACES), { flag: 'wx' })
  console.log(place)
}

const registry = join(PROJECT, 'src', 'psp', 'adapters.ts')
const text = readFileSync(registry, 'utf8')
  .replace(/^(import type \{ Adapter)/m, `import { ${id} } from './${id}/adapter.ts'\n$1`)
  .replace(/(Record<string, Adapter>> = \{[^}]*?),? \}/, `$1, ${id} }`)
writeFileSync(registry, text)
console.log('src/psp/adapters.ts: its import, and its name in ADAPTERS')
console.log(
  '\nNow: npm run format, then npx vitest run --config test/vitest.config.ts test/psp says what it lacks.',
)
