import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Line, MARK } from './reporter.ts'
import type { Play, Told } from '../player/switch.ts'

/** What a run of the tests is told: the files with their mutants compiled in, the plays, and how long one test may take (ms). */
export type Plan = {
  readonly mutated: readonly string[]
  readonly plays: readonly Play[]
  readonly patience: number
}

/** How a play ended. Hung: it said nothing for so long that its process was ended. */
export type Played = {
  readonly outcome: 'passed' | 'failed' | 'hung' | 'lost'
  readonly by: string
  readonly tests: readonly { readonly told: Told; readonly ms: number }[]
}

const root = join(import.meta.dirname, '../../..')
/** How long a run may say nothing (ms): while it starts and reads all its tests, and after that. A mutant may loop for ever. */
const SILENCE = { start: 300_000, afterwards: 60_000 }

type Run = { readonly lines: readonly Line[]; readonly hung: boolean; readonly rest: string }

/** Runs Vitest once over a plan. A run that says nothing for too long is ended, with its runtime. */
async function runOnce(plan: Plan): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'))
  const file = join(folder, 'plan.json')
  await writeFile(file, JSON.stringify(plan))
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/mutation/shell/vitest.config.ts'],
    {
      cwd: root,
      env: { ...process.env, MUTATION_PLAN: file },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const lines: Line[] = []
  let rest = ''
  let hung = false
  const end = (): void => {
    hung = true
    // The group: the runtime as well, which no longer listens.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  let watchdog = setTimeout(end, SILENCE.start)
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith(MARK)) return void (rest = (rest + line + '\n').slice(-4000))
    clearTimeout(watchdog)
    watchdog = setTimeout(end, SILENCE.afterwards)
    lines.push(JSON.parse(line.slice(MARK.length)) as Line)
  })
  child.stderr.on('data', (text) => void (rest = (rest + String(text)).slice(-4000)))
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(watchdog)
  await rm(folder, { recursive: true })
  return { lines, hung, rest }
}

function playOf(line: Line): number | null {
  if (line.kind === 'collected') return null
  return line.kind === 'test' ? line.told.play : line.play
}

function judge(lines: readonly Line[], play: number, hung: boolean): Played {
  const own = lines.filter((line) => playOf(line) === play)
  const tests = own.flatMap((line) => (line.kind === 'test' ? [{ told: line.told, ms: line.ms }] : []))
  const failed = own.find(
    (line) => line.kind === 'broken' || (line.kind === 'test' && line.state === 'failed'),
  )
  if (failed !== undefined)
    return {
      outcome: 'failed',
      by: failed.kind === 'test' ? failed.told.name : ('why' in failed && failed.why) || '',
      tests,
    }
  if (own.some(({ kind }) => kind === 'ended')) return { outcome: 'passed', by: '', tests }
  return { outcome: hung ? 'hung' : 'lost', by: '', tests }
}

/**
 * Plays all that a plan has, in one runtime, or in as many as are needed: after a play that hangs, the others go on in a new one.
 * A play is lost when the runtime ends without a word about it, twice.
 */
export async function runPlays(plan: Plan): Promise<Played[]> {
  const results = new Map<number, Played>()
  let left = plan.plays.map((_, number) => number)
  for (let stuck = 0; left.length > 0 && stuck < 2;) {
    const { lines, hung, rest } = await runOnce({
      ...plan,
      plays: left.flatMap((number) => plan.plays[number] ?? []),
    })
    const begun = lines.findLast((line) => line.kind === 'began')
    for (const [index, number] of left.entries()) {
      const isOpen = begun !== undefined && 'play' in begun && begun.play === index
      const played = judge(lines, index, hung && isOpen)
      if (played.outcome !== 'lost') results.set(number, played)
    }
    const before = left.length
    left = left.filter((number) => !results.has(number))
    stuck = left.length === before ? stuck + 1 : 0
    if (stuck > 0) process.stderr.write(rest)
  }
  return plan.plays.map((_, number) => results.get(number) ?? { outcome: 'lost', by: '', tests: [] })
}
