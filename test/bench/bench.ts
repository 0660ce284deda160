import { parseArgs } from 'node:util'
import { runComparison } from './compare.ts'
import { leave, takeSignals } from './endings.ts'
import type { Run } from './run.ts'
import { runScale } from './scale/scale.ts'

const USAGE = 'usage: npm run bench -- [--scale] [--quick] [--json] [--seed NUMBER]'

/** Figures of four digits: more would say what no run can know. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** `npm run bench`: figures on standard output as tables and JSON lines, progress on standard error. */
const bench = async (): Promise<number> => {
  const begun = Date.now()
  const { values } = parseArgs({
    options: {
      scale: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  })
  const run: Run = {
    quick: values.quick,
    seed: Number(values.seed),
    tell: (line) =>
      console.error(`[${String(Math.round((Date.now() - begun) / 1000)).padStart(3)} s] ${line}`),
    show: (text) => {
      if (!values.json) console.log(text)
    },
    line: (value) => console.log(JSON.stringify(value, rounded)),
  }
  if (!Number.isSafeInteger(run.seed)) {
    console.error(USAGE)
    return 2
  }
  return (await (values.scale ? runScale(run) : runComparison(run))) ? 0 : 1
}

takeSignals()
bench().then(leave, (error: unknown) => {
  console.error(error)
  return leave(1)
})
