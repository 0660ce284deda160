import { expect, it } from 'vitest'
import { read, rowsUnder } from './documents.ts'

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<
    string,
    { version: string; resolved?: string; integrity?: string; hasInstallScript?: true }
  >
}
const project = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string; npm: string }
  allowScripts: Record<string, boolean>
}
const documented = rowsUnder(read('docs/decisions/code.md'), '## Dependencies').flatMap(([names = '']) =>
  names.split(', '),
)

it('every dependency has its line in docs/decisions/code.md, and every line its dependency', () => {
  const names = [...Object.keys(project.dependencies), ...Object.keys(project.devDependencies)]
  expect(documented.toSorted()).toEqual(names.toSorted())
})

it.each(['README.md', 'CONTRIBUTING.md'])('%s requires the same Node and npm as package.json', (path) => {
  const [node, npm] = [project.engines.node, project.engines.npm].map((range) => range.replace('>=', ''))
  expect(read(path)).toContain(`Node ${node} or newer with npm ${npm} or newer`)
})

it('every package that would run a script at its installation was reviewed', () => {
  const scripts = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  expect(Object.keys(project.allowScripts).toSorted()).toEqual([...new Set(scripts)].toSorted())
})

it('every package comes from the registry, with its hash', () => {
  const others = Object.entries(packages).filter(
    ([path, { resolved = '', integrity = '' }]) =>
      path !== '' && !(resolved.startsWith('https://registry.npmjs.org/') && integrity.startsWith('sha512-')),
  )
  expect(others).toEqual([])
})

it.each(['workerd', 'miniflare', 'wrangler', 'esbuild'])(
  'the lock file has one copy of %s: with two, the tests would not test what runs',
  (name) => {
    const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))
    expect(copies).toEqual([`node_modules/${name}`])
  },
)
