import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { hashOfSources } from '../../../src/tools/site/sources-hash.ts'

const FOLDER = join(import.meta.dirname, '../../../src/tools/site/docs/.vitepress')
const PASSING = join(FOLDER, 'config.ts.timestamp-1-0a1b2c3d4e5f.mjs')
afterEach(() => rmSync(PASSING, { force: true }))

it('a site that another build makes meanwhile is no other site', () => {
  const before = hashOfSources()
  writeFileSync(PASSING, 'export default {}')
  expect(hashOfSources()).toBe(before)
})
