#!/usr/bin/env node
import { runProgram } from '../program.ts'
import { HUB } from './commands.ts'

/** `npx hub …`, or `npm run hub -- …`. npm puts the project's own Node first on the PATH: that of the machine may be older. */
process.exitCode = await runProgram(HUB)
