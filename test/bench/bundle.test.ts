import { expect, inject, it } from 'vitest'
import { gzippedSize } from './bundle.ts'

it('the whole Worker has at most 400 KiB gzipped', async () => {
  const gzipped = await gzippedSize(inject('built').bundle)
  expect(gzipped).toBeLessThanOrEqual(400 * 1024)
  // Not an empty file.
  expect(gzipped).toBeGreaterThan(100 * 1024)
})
