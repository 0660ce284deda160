import { expect, inject, it } from 'vitest'
import { gzippedSize } from './bundle.ts'

const { bundle } = inject('built')

it('the whole Worker has at most 400 KiB gzipped', async () => {
  const gzipped = await gzippedSize(bundle)
  expect(gzipped).toBeLessThanOrEqual(400 * 1024)
  // And is the Worker, not an empty file.
  expect(gzipped).toBeGreaterThan(100 * 1024)
})
