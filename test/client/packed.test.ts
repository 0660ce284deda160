import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PACKED } from './pack-once.ts'

const FOLDER = join(PACKED, 'package')

it('the package has the module, its types and its page, and depends on nothing', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(['README.md', 'client.d.ts', 'client.js', 'package.json'])
  const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).toMatchObject({ type: 'module', exports: { '.': { types: './client.d.ts' } } })
  expect(Object.keys(manifest).filter((member) => /ependencies|scripts/.test(member))).toEqual([])
  expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toContain("from 'payment-hub-client'")
})
