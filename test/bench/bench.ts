import { command, option, runProgram } from '../../src/programs/program.ts'

/**
 * How a run reports: JSON lines (`line`), text for people (`show`), and progress on standard error (`tell`).
 */
export type Run = {
  /** A short run with rough figures. */
  quick: boolean
  /** A tag or commit whose hub is measured instead of the bare Worker. */
  against: string | undefined
  tell: (text: string) => void
  show: (text: string) => void
  line: (value: object) => void
}

/** Rounds to four digits: no run is more precise. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}

const bench = command({
  name: 'npm run bench --',
  does: 'measures the hub beside a bare Worker, as a table and as JSON lines',
  example: 'npm run bench -- --quick --json',
  args: {
    scale: { type: 'boolean', description: 'measure with few and with many jobs in the index, instead' },
    live: { type: 'boolean', description: 'measure how soon those who wait for a job hear of it, instead' },
    against: option('REF', 'measure beside the hub of a tag or commit, instead of a bare Worker'),
    quick: { type: 'boolean', description: 'a short run, whose figures are rough' },
    json: { type: 'boolean', description: 'print the JSON lines alone' },
  },
  run: async ({ scale, live, against, quick = false, json }) => {
    // Loaded late: these load the runtime, which `--help` does not need.
    const measure = live
      ? (await import('./live.ts')).runLive
      : scale
        ? (await import('./growth.ts')).runGrowth
        : (await import('./compare.ts')).runComparison
    const begun = Date.now()
    const isWell = await measure({
      quick,
      against,
      tell: (text) =>
        console.error(`[${String(Math.round((Date.now() - begun) / 1000)).padStart(3)} s] ${text}`),
      show: (text) => {
        if (!json) console.log(`\n${text}\n`)
      },
      line: (value) => console.log(JSON.stringify(value, rounded)),
    })
    return isWell ? 0 : 1
  },
})

process.exit(await runProgram(bench))
