import pure from './pure.config.mjs'

/**
 * Mutants of code that needs workerd, some six seconds each. `TESTS=test/reports,test/job` names the tests to
 * run.
 */
export default {
  ...pure,
  mutate: ['src/reports/*.ts'],
  // Vitest cannot find the tests of a file by their imports if the Worker imports it.
  vitest: { configFile: 'test/mutation/worker.vitest.config.ts', related: false },
  thresholds: { high: 92, low: 90, break: null },
}
