import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { read } from './documents.ts'

/** Returns the names with a value in a file of variables, without comments. */
function withValues(text: string): string[] {
  return Array.from(text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(\S+)/gm))
    .filter(([, , value]) => value !== '""' && value !== "''")
    .map(([, name = '']) => name)
}

it('a value in a file of variables is found', () => {
  expect(withValues('A=1\n# B=2\nC=\nD=""\n export E = "x"\nF=\n')).toEqual(['A', 'E'])
})

it('no example file has a value, which a deploy button would make a secret of production', () => {
  const examples = readdirSync(PROJECT).filter((file) => /^\.(dev\.vars|env)\b.*example/.test(file))
  expect(examples.flatMap((file) => withValues(read(file)))).toEqual([])
})

it('git ignores the files that have secrets, or what customers ordered', () => {
  const ignored = read('.gitignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.dev.vars', '.hub/', '/*.csv', '/*.ndjson', '/*.sql']))
})
