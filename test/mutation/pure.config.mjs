/**
 * Mutants of the pure half, which tests in Node judge; `--mutate src/job/core/decide.ts:20-60` of some lines alone:
 * https://stryker-mutator.io/docs/stryker-js/configuration/
 */
export default {
  mutate: [
    'src/{job/core,contract}/**/*.ts',
    'src/psp/{adyen,mollie,multisafepay,stripe}/*.ts',
    'src/psp/{answer,breaker,csv,http-client,reading,values}.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/pure.vitest.config.ts' },
  // What a module computes while it is loaded would need a fresh one for each of its mutants.
  ignoreStatic: true,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  tempDirName: '.wrangler/mutants',
  ignorePatterns: ['/.wrangler'],
  thresholds: { high: 99, low: 97, break: 97 },
  // TypeScript 7 has no API by which Stryker could read it.
  tsconfigFile: 'none',
  concurrency: 2,
}
