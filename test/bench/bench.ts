import { command } from '../../src/tools/command.ts'
import { runProgram } from '../../src/tools/program.ts'
import { wholeNumber } from '../../src/tools/whole-number.ts'
import { leave, takeSignals } from './endings.ts'
import type { Run } from './run.ts'

/** Figures of four digits: more would say what no run can know. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}

/** `npm run bench`: figures on standard output as tables and JSON lines, progress on standard error. */
const bench = command({
  name: 'npm run bench --',
  does: 'measures the hub beside other servers, as a table and as JSON lines',
  example: 'npm run bench -- --quick --json',
  args: {
    scale: { type: 'boolean', description: 'measure with many jobs in the index, and crowds, instead' },
    live: { type: 'boolean', description: 'measure how soon those who wait for a job hear of it, instead' },
    profile: { type: 'boolean', description: 'say where the CPU of a create goes, instead' },
    write: { type: 'boolean', description: 'write the table of docs/limits-and-cost.md, too' },
    quick: { type: 'boolean', description: 'a short run, whose figures are rough' },
    json: { type: 'boolean', description: 'print the JSON lines alone' },
    seed: { type: 'string', default: '1', valueHint: 'N', description: 'the same seed does the same work' },
  },
  run: async ({ scale, live, profile, write = false, quick = false, json, seed: given }) => {
    const seed = wholeNumber('--seed', given, 0)
    // Loaded only now: they load the runtime, and `--help` need not wait for that.
    const measure = live
      ? (await import('./live/live.ts')).runLive
      : scale
        ? (await import('./scale/scale.ts')).runScale
        : profile
          ? (await import('./profile/profile.ts')).runProfile
          : (await import('./compare.ts')).runComparison
    takeSignals()
    const begun = Date.now()
    const run: Run = {
      quick,
      write,
      seed,
      tell: (line) =>
        console.error(`[${String(Math.round((Date.now() - begun) / 1000)).padStart(3)} s] ${line}`),
      show: (text) => {
        if (!json) console.log(text)
      },
      line: (value) => console.log(JSON.stringify(value, rounded)),
    }
    return (await measure(run)) ? 0 : 1
  },
})

runProgram(bench).then(leave, (error: unknown) => {
  console.error(error)
  return leave(1)
})
