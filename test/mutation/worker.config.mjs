import pure from './pure.config.mjs'

/** Mutants of what needs workerd: some six seconds each. `TESTS=test/reports,test/job` names the tests that are asked. */
export default {
  ...pure,
  mutate: ['src/reports/*.ts'],
  // Vitest finds no tests by the files that they import where the Worker imports them.
  vitest: { configFile: 'test/mutation/worker.vitest.config.ts', related: false },
  thresholds: { high: 92, low: 90, break: null },
}
