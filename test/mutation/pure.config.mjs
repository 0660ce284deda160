/**
 * Mutants of the pure half, which tests in Node judge. `--mutate src/job/core/decide.ts:20-60` makes only
 * those of some lines: https://stryker-mutator.io/docs/stryker-js/configuration/
 */
export default {
  mutate: [
    'src/{job/core,contract}/**/*.ts',
    'src/psp/*/*.ts',
    '!src/psp/{sandbox,health,payouts}/*.ts',
    'src/psp/{answer,http-client,reading,values,health/breaker,payouts/csv}.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/pure.vitest.config.ts' },
  // Code that runs while a module loads would need a new module for each mutant.
  ignoreStatic: true,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  tempDirName: '.wrangler/mutants',
  ignorePatterns: ['/.wrangler'],
  thresholds: { high: 99, low: 97, break: 97 },
  // TypeScript 7 has no API for Stryker.
  tsconfigFile: 'none',
  concurrency: 2,
}
