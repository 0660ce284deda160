import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from '../../src/cli/local/build.ts'
import { bundleSize } from './bundle.ts'
import { startupCpu } from './startup.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-bundle-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('the Worker has at most 80 KiB gzipped', async () => {
  await build(folder)
  const { gzipped } = await bundleSize(folder)
  expect(gzipped).toBeLessThanOrEqual(80 * 1024)
  // And is the Worker, not an empty file.
  expect(gzipped).toBeGreaterThan(20 * 1024)
})

it('the Worker starts in a tenth of the CPU time that the platform allows', async () => {
  expect(await startupCpu(folder)).toBeLessThan(100)
})
