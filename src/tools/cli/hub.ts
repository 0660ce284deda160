#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Node keeps what it has compiled: the next start takes half the time. So the rest is loaded after
// it.
enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'compiled'))
const { runProgram } = await import('../program.ts')
const { HUB } = await import('./commands.ts')
process.exitCode = await runProgram(HUB)
