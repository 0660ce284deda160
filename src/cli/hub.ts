#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Node keeps the compiled code, which halves the time of the next start. Everything else is
// imported after this line, so that it counts.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))
const { runProgram } = await import('../programs/program.ts')
const { HUB } = await import('./commands.ts')
process.exitCode = await runProgram(HUB)
