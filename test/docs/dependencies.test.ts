import { expect, it } from 'vitest'
import { read, rowsUnder } from './documents.ts'

const project = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string; npm: string }
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
