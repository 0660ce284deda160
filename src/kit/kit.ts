#!/usr/bin/env node
import { tooOld } from './needed-node.ts'

// Node 14 can read this file and what it imports, and shows the sentence instead of a SyntaxError: the rest is
// loaded later.
const fault = tooOld(process.versions.node)
if (fault === null) void import('./run.ts')
else {
  console.error(fault)
  process.exitCode = 1
}
