import { expect, it } from 'vitest'
import { read, rowsUnder } from './documents.ts'

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { hasInstallScript?: true }>
}
const project = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string; npm: string }
  allowScripts: Record<string, boolean>
}
const told = rowsUnder(read('README.md'), '## Dependencies').flatMap(([names = '']) => names.split(', '))

it('every dependency has its line in the README, and every line its dependency', () => {
  const names = [...Object.keys(project.dependencies), ...Object.keys(project.devDependencies)]
  expect(told.toSorted()).toEqual(names.toSorted())
})

it.each(['README.md', 'CONTRIBUTING.md'])(
  '%s asks for the Node and npm that package.json asks for',
  (path) => {
    const [node, npm] = [project.engines.node, project.engines.npm].map((range) => range.replace('>=', ''))
    expect(read(path)).toContain(`Node ${node} or newer with npm ${npm} or newer`)
  },
)

it('every package that would run a script at its installation was judged', () => {
  const scripts = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path]) => path.split('node_modules/').at(-1))
  expect(Object.keys(project.allowScripts).toSorted()).toEqual([...new Set(scripts)].toSorted())
})

it.each(['workerd', 'miniflare', 'wrangler'])(
  'the lock file has one copy of %s: two would be two runtimes, and what is tested not what runs',
  (name) => {
    const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))
    expect(copies).toEqual([`node_modules/${name}`])
  },
)
