import { afterEach, expect, it, vi } from 'vitest'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort, isFree } from '../../src/programs/free-port.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a port is given out only once, even before anything listens there', async () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.1).mockReturnValueOnce(0.1)
  expect(await freePort()).not.toBe(await freePort())
})

it.for(['127.0.0.1', '::1'])('a port that another program has at %s is not free', async (host, { skip }) => {
  const port = await freePort()
  const other = createServer().listen(port, host)
  const isUp = await Promise.race([
    once(other, 'listening').then(() => true),
    once(other, 'error').then(() => false),
  ])
  if (!isUp) return skip('this machine has no IPv6')
  expect(await isFree(port)).toBe(false)
  other.close()
})
