import * as fc from 'fast-check'

// A surviving mutant costs all runs of each property that reaches it. Twenty runs find nearly as many as all.
fc.configureGlobal({ numRuns: 20, seed: 1, endOnFailure: true })
