import type { CollectedTest } from './collected.ts'

/** What Stryker's mutants look at: which is on, and how often its code may be passed. `counts`: see load.ts. */
type Switch = { activeMutant?: string; hitCount?: number; hitLimit?: number; counts?: Uint32Array }

export const shared: Switch = ((globalThis as { __stryker__?: Switch }).__stryker__ = { activeMutant: '' })

/** Runs something with a mutant on, '' for none. A mutant that never ends is thrown out of its loop after so many passes. */
export async function withMutant<Result>(
  mutant: string,
  passes: number,
  run: () => Result,
): Promise<Awaited<Result>> {
  Object.assign(shared, { activeMutant: mutant, hitCount: 0, hitLimit: passes })
  try {
    return await run()
  } finally {
    shared.activeMutant = ''
  }
}

export async function doesPass({ run }: CollectedTest, mutant: string, passes = Infinity): Promise<boolean> {
  try {
    await withMutant(mutant, passes, run)
    return true
  } catch {
    return false
  }
}
