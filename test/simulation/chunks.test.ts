import { afterEach, expect, it, vi } from 'vitest'
import { playChunks } from './chunks.ts'
import type { ChunkResult, Lane } from './lane.ts'

afterEach(() => vi.restoreAllMocks())

/** Plays 500 seeds, in two chunks whose plays have these results. Returns the exit code and what it prints. */
async function playedWith(...results: ChunkResult[]) {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const lane: Lane = { play: async () => results.shift() ?? 'kept', close: async () => {} }
  const code = await playChunks(1, 500, 1, () => lane)
  return { code, left: results.length, printed: log.mock.calls.map(([line]) => String(line)).join('\n') }
}

it('a chunk whose runtime did not start is played again, and breaks nothing', async () => {
  const { code, left, printed } = await playedWith('not started', 'kept', 'kept')
  expect([code, left]).toEqual([0, 0])
  expect(printed).toContain('500 seeds kept every promise')
})

it('a chunk whose runtime never starts does not count as played, nor as broken', async () => {
  const { code, printed } = await playedWith('not started', 'not started', 'not started', 'kept')
  expect(code).toBe(1)
  expect(printed).toContain('250 of 500 seeds were not played')
  expect(printed).not.toContain('broken')
})
