import { expect, inject, it } from 'vitest'
import { bundleSize } from './bundle.ts'
import { startupCpu } from './startup.ts'

const { bundle } = inject('built')

it('the Worker has at most 80 KiB gzipped', async () => {
  const { gzipped } = await bundleSize(bundle)
  expect(gzipped).toBeLessThanOrEqual(80 * 1024)
  // And is the Worker, not an empty file.
  expect(gzipped).toBeGreaterThan(20 * 1024)
})

it('the Worker starts in a tenth of the CPU time that the platform allows', async () => {
  expect(await startupCpu(bundle)).toBeLessThan(100)
})
