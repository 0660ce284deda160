import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashOfSources, writeFolder } from '../../src/build/built-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function contents(): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const pairs = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
  )
  return Object.fromEntries(pairs)
}

it('holds the files it was given and no others', async () => {
  await writeFolder(
    folder,
    new Map([
      ['a.txt', 'a'],
      ['b/c.txt', 'c'],
    ]),
  )
  await writeFolder(
    folder,
    new Map([
      ['a.txt', 'A'],
      ['d.txt', 'd'],
    ]),
  )
  expect(await contents()).toEqual({ 'a.txt': 'A', 'd.txt': 'd' })
})

it('leaves the files of the folder that is not its own', async () => {
  await writeFolder(join(folder, 'docs'), new Map([['a.txt', 'a']]))
  await writeFolder(folder, new Map([['b.txt', 'b']]), 'docs')
  expect(await contents()).toEqual({ 'docs/a.txt': 'a', 'b.txt': 'b' })
})

it('leaves a file alone that is right already', async () => {
  const files = new Map([['a.txt', 'a']])
  await writeFolder(folder, files)
  const { ino } = await stat(join(folder, 'a.txt'))
  await writeFolder(folder, files)
  expect((await stat(join(folder, 'a.txt'))).ino).toBe(ino)
})

it('leaves what another build is writing', async () => {
  await writeFile(join(folder, 'x.txt.1.unfinished'), 'half')
  await writeFolder(folder, new Map([['a.txt', 'a']]))
  expect(Object.keys(await contents())).toContain('x.txt.1.unfinished')
})

it('is right whatever several builds do at a time', async () => {
  const files = new Map(
    Array.from({ length: 20 }, (_, at) => [`${at % 3}/${at}.txt`, 'x'.repeat(10_000)] as const),
  )
  await Promise.all(Array.from({ length: 4 }, () => writeFolder(folder, files)))
  expect(await contents()).toEqual(Object.fromEntries(files))
})

it('a site that another build makes meanwhile is no other site', async () => {
  const docs = join(import.meta.dirname, '../../src/build/docs/.vitepress')
  const passing = join(docs, 'config.ts.timestamp-1-0a1b2c3d4e5f.mjs')
  const before = hashOfSources()
  await writeFile(passing, 'export default {}')
  try {
    expect(hashOfSources()).toBe(before)
  } finally {
    await rm(passing)
  }
})
