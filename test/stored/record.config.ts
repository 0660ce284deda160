import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { VERSION } from '../../src/platform/version.ts'
import { workerd } from '../projects.ts'

const file = join(import.meta.dirname, '..', 'fixtures', `release-${VERSION}.json`)
if (existsSync(file))
  throw new Error(`${file} is there: what a release has written does not change any more.`)

/** `npm run record:release`: see test/stored/record-release.ts. */
export default defineConfig({
  test: { projects: [workerd('record', { include: ['test/stored/record-release.ts'] })] },
})
