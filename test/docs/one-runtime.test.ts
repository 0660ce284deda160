import { expect, it } from 'vitest'
import { read } from './documents.ts'

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> }

/**
 * Two copies would be two runtimes: what is tested would not be what runs, and each is a hundred
 * megabytes.
 */
it.each(['workerd', 'miniflare', 'wrangler'])('the lock file has one copy of %s', (name) => {
  const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))
  expect(copies).toEqual([`node_modules/${name}`])
})
