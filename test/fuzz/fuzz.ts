import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** About the number of parsers: the time is shared out among them. */
const PARSERS = 30

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0')

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/fuzz/fuzz.config.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_TIME: String(Math.round((minutes * 60_000) / PARSERS)) },
})
process.exitCode = status ?? 1
