import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'
import { NODE, WORKERD, placeOf } from './projects.ts'
import { missingPrograms } from './support/installed.ts'

/** As Vitest does, but some files come first, and others last. */
class InPlace extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- it is no array.
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId))
  }
}

/**
 * What the runtime and Miniflare say of an object that sets its alarm while the old one rings, and of a report that a test left
 * in its queue. Both are as they should be, and no setting turns them off.
 */
const SAID_ANYWAY =
  /^NOSENTRY SQLite alarm handler canceled|\[mf:warn\].* Moving message .* to dead letter queue/
for (const stream of [process.stdout, process.stderr])
  stream.write = new Proxy(stream.write, {
    apply: (write, own, [text, ...rest]: [unknown, ...unknown[]]) =>
      SAID_ANYWAY.test(String(text)) || Reflect.apply(write, own, [text, ...rest]),
  })

/** The tests of each change: `npm test`. Those that take minutes are in slow.config.ts. */
export default defineConfig({
  test: {
    // What was compiled for the run before serves this one, as far as it is the same.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: InPlace },
    reporters: ['default', { onTestRunEnd: () => console.log(missingPrograms() ?? '') }],
    projects: [...NODE, ...WORKERD],
  },
})
