import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'
import { NODE, WORKERD, isLast } from './projects.ts'

/** A runtime remembers what a file did at a later time, or while all was broken: none follows it. */
class LastOnesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- it is no array.
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isLast(one.moduleId)) - Number(isLast(other.moduleId)))
  }
}

/** The tests of each change: `npm test`. Those that take minutes are in slow.config.ts. */
export default defineConfig({
  test: {
    // What was compiled for the run before serves this one, as far as it is the same.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LastOnesLast },
    projects: [...NODE, ...WORKERD],
  },
})
