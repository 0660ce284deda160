import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from './bundle.ts'
import type { Cover } from './cover.ts'
import type { DomainMutant } from './instrument.ts'

/** What the process that plays is told. */
export type Plan = {
  readonly script: string
  readonly testsOf: Readonly<Record<string, readonly string[]>>
  readonly mutants: readonly Pick<DomainMutant, 'id' | 'file'>[]
  /** Files that remember what they computed. */
  readonly remembering: readonly string[]
  /** One more than the highest id of all mutants that the script has: these are numbers from 0. */
  readonly count: number
  /** Null for the first process, which finds it. */
  readonly cover: Cover | null
}

export type Outcome = 'killed' | 'survived' | 'reached by no test'

/** What it tells: who passes through what; that the turn of a mutant has come, and how it ended. */
export type Told =
  | { readonly is: 'covered'; readonly cover: Cover }
  | { readonly is: 'begun'; readonly id: string }
  | { readonly is: Outcome; readonly id: string; readonly by: string }

export type Verdict = { readonly outcome: Outcome; readonly by: string }

/** A mutant of which nothing is heard for so long (ms) never ends: its process is ended, and it counts as killed. */
const SILENCE = 60_000

/** Plays mutants in one process, until all are played or one of them never ends. */
async function playSome(plan: string, tell: (told: Exclude<Told, { is: 'begun' }>) => void): Promise<void> {
  const child = fork(join(import.meta.dirname, 'play.ts'), [plan], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let begun = ''
  let watchdog: NodeJS.Timeout | undefined
  const watch = (): void => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE)
  }
  child.on('message', (told: Told) => {
    watch()
    if (told.is === 'begun') begun = told.id
    else tell(told)
  })
  const [code] = await new Promise<[number | null]>((resolve) =>
    child.once('exit', (ended) => resolve([ended])),
  )
  clearTimeout(watchdog)
  if (code !== null && code !== 0)
    throw new Error(`the tests of the domain could not be played (exit code ${code})`)
  if (code === null && begun !== '') tell({ is: 'killed', id: begun, by: 'it never ends' })
}

/** Plays each mutant against the tests of the domain that pass through it, until one fails. Tells each verdict as soon as it is known. */
export async function judgeDomain(
  mutants: readonly DomainMutant[],
  { script, testsOf, remembering, count }: Bundle,
  tell: (mutant: DomainMutant, verdict: Verdict) => void,
): Promise<void> {
  let left = mutants
  let cover: Cover | null = null
  const take = (told: Exclude<Told, { is: 'begun' }>): void => {
    if (told.is === 'covered') return void (cover = told.cover)
    const mutant = left.find(({ id }) => id === told.id)
    left = left.filter(({ id }) => id !== told.id)
    if (mutant !== undefined) tell(mutant, { outcome: told.is, by: told.by })
  }
  const folder = await mkdtemp(join(tmpdir(), 'domain-mutants-'))
  const file = join(folder, 'plan.json')
  try {
    while (left.length > 0) {
      const plan: Plan = {
        script,
        testsOf: Object.fromEntries(testsOf),
        mutants: left.map(({ id, file: of }) => ({ id, file: of })),
        remembering,
        count,
        cover,
      }
      await writeFile(file, JSON.stringify(plan))
      await playSome(file, take)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
