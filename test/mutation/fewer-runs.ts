import * as fc from '../../node_modules/fast-check/lib/fast-check.js'

export * from '../../node_modules/fast-check/lib/fast-check.js'

/** Each mutant that lives costs all runs of each property that passes through it. These find nearly all that the many find. */
const RUNS = 30

/** In place of fast-check while mutants are played: properties run less often. */
export default {
  ...fc,
  assert: <Values>(
    property: Parameters<typeof fc.assert<Values>>[0],
    parameters: Parameters<typeof fc.assert<Values>>[1] = {},
  ) => fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? RUNS, RUNS) }),
}
