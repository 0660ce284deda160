import { afterEach, expect, it, vi } from 'vitest'
import { freePort } from '../../src/programs/free-port.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a port is given out only once, even before anything listens there', async () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.1).mockReturnValueOnce(0.1)
  expect(await freePort()).not.toBe(await freePort())
})
