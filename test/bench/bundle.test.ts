import { expect, inject, it } from 'vitest'
import { bundleSize } from './bundle.ts'
import { startupCpu } from './startup.ts'

const { bundle } = inject('built')

it('the Worker has at most 120 KiB gzipped', async () => {
  const { gzipped } = await bundleSize(bundle)
  expect(gzipped).toBeLessThanOrEqual(120 * 1024)
  // And is the Worker, not an empty file.
  expect(gzipped).toBeGreaterThan(20 * 1024)
})

it.each([
  ['checkout-pages', 40],
  ['console', 40],
  ['sandbox', 40],
  // Has copies of all PSPs and of the queries of D1, and is loaded by the schedule of five minutes alone: nobody waits for it.
  ['watch', 48],
  ['weather', 40],
  ['weather-report', 40],
  ['why', 40],
])('the module %s has at most %d KiB gzipped', async (name, most) => {
  const { gzipped } = await bundleSize(bundle, `${name}.mjs`)
  expect(gzipped).toBeLessThanOrEqual(most * 1024)
  expect(gzipped).toBeGreaterThan(3 * 1024)
})

/** The profile counts time by the clock: on a busy machine the least of several is nearest to what the Worker takes. */
const TRIES = 8
it(
  'the Worker starts in a tenth of the CPU time that the platform allows',
  { timeout: 300_000 },
  async () => {
    let least = Infinity
    for (let tries = 0; tries < TRIES && least >= 100; tries++)
      least = Math.min(least, await startupCpu(bundle))
    expect(least).toBeLessThan(100)
  },
)
