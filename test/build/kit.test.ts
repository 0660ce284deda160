import { expect, it } from 'vitest'
import { bundledKit, kitPackage, noticesOf } from '../../src/build/kit.ts'

it('the kit for shops has nothing of the operators, and needs no package', async () => {
  const { scripts, sources } = await bundledKit()
  expect(sources).toContain('src/kit/certify/certify-shop.ts')
  const rooms = sources.filter((file) => file.startsWith('src/')).map((file) => file.split('/')[1])
  expect([...new Set(rooms)].toSorted()).toEqual(['client', 'contract', 'kit', 'platform', 'programs'])
  expect(sources).not.toContain('src/programs/wrangler.ts')
  expect(sources).not.toContain('src/programs/secrets.ts')
  const imported = Array.from(
    [...scripts.values()].join('\n').matchAll(/\bfrom ?"([^"]+)"|\bimport ?"([^"]+)"/g),
    ([, one, other]) => one ?? other,
  )
  expect(
    imported.filter((name) => !name?.startsWith('node:') && !scripts.has(name?.replace('./', '') ?? '')),
  ).toEqual([])
})

it('the kit is small, and the same for the same sources', async () => {
  const kit = await kitPackage(new Map([['client.js', 'export {}']]))
  expect(kit.length).toBeLessThan(300 * 1024)
  expect(await kitPackage(new Map([['client.js', 'export {}']]))).toEqual(kit)
})

it('the kit has the licence of every package that it has parts of', async () => {
  const { sources } = await bundledKit()
  const notices = await noticesOf(sources)
  for (const name of ['valibot', 'commander', 'ws', 'string-width'])
    expect(notices).toMatch(new RegExp(`^${name}\\n\\n[^]*?MIT`, 'm'))
  expect(notices.match(/Permission is hereby granted/g)?.length).toBe(notices.split('-'.repeat(80)).length)
})
