import { afterEach, expect, it, vi } from 'vitest'
import { confirmed } from '../../src/registry/points-of-sale.ts'
import { loggedOf } from '../support/logged.ts'

afterEach(() => vi.restoreAllMocks())

it('a write that D1 does not confirm is repeated once, and the log says so', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const fault = new Error(`D1_ERROR: ${crypto.randomUUID()}`)
  const write = vi.fn<() => Promise<string>>().mockRejectedValueOnce(fault).mockResolvedValueOnce('written')
  expect(await confirmed(write)).toBe('written')
  expect(loggedOf(errors, fault.message)).toMatchObject([{ event: 'registry.write-repeated' }])
  write.mockRejectedValue(fault)
  await expect(confirmed(write)).rejects.toThrow(fault)
  expect(write).toHaveBeenCalledTimes(4)
})
