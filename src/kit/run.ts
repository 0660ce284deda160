import { runProgram } from '../programs/program.ts'
import { KIT } from './commands.ts'
import { addToNode20 } from './node-20.ts'

addToNode20()
process.exitCode = await runProgram(KIT)
