import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest'
import { endAlarms } from '../../support/end-alarms.ts'
import { hits, switchOn } from './switch.ts'

type Task = { readonly name: string; readonly suite?: Task | undefined }

/** The name of a test inside its file: what stands around the file here is left out. */
function nameInFile(task: Task, around: string): string {
  const names: string[] = []
  for (let at: Task | undefined = task; at !== undefined && at.name !== around; at = at.suite)
    names.unshift(at.name)
  return names.join(' > ')
}

type Ended = { readonly result?: { readonly state: string }; readonly tasks?: readonly Ended[] }

/** Whether a test has failed, or what goes before or after the tests of a suite. */
function hasFailed({ result, tasks = [] }: Ended): boolean {
  return result?.state === 'fail' || tasks.some(hasFailed)
}

/**
 * Plays a test file once for each mutant, with the mutant on, as far as its first failing test. Where one has failed, the file is
 * played once more with none, as a control of the runtime that they share; and so it is to note what each test reaches. The address
 * has the number of the play in it, so that the file is a new module that tells its tests anew; what it imports stays as it is loaded.
 */
const plays = inject('plays')
/** Vitest gathers what it tells for a tenth of a second. That a play has begun must be known before its mutant loops for ever (ms). */
const UNTIL_TOLD = 200
/** Mutants that a play has killed: the plays of them that come after it say no more. */
const killed = new Set<string>()
/** Test files that have failed with a mutant. Of the others there is nothing to doubt, and no control is played. */
const doubtful = new Set<string>()
const withMutants = new Set(plays.filter(({ mutant }) => mutant !== '').map(({ file }) => file))
/** What modules passed through while they were loaded, before the first test; told once. */
let loading: readonly string[] | null = null
for (const [number, { file, mutant, tests }] of plays.entries()) {
  const around = `play ${number}`
  describe(around, async () => {
    let failed = false
    const isOver = (): boolean =>
      mutant === '' ? withMutants.has(file) && !doubtful.has(file) : killed.has(mutant)
    const outside = new Set<string>()
    beforeAll(async () => {
      loading ??= [...hits]
      hits.clear()
      if (mutant !== '' && !isOver()) await scheduler.wait(UNTIL_TOLD)
      switchOn(mutant)
    })
    beforeEach((context) => {
      for (const hit of hits) outside.add(hit)
      hits.clear()
      if (failed || isOver() || (tests !== null && !tests.includes(nameInFile(context.task as Task, around))))
        context.skip()
    })
    afterEach(({ task }) => {
      failed ||= task.result?.state === 'fail'
      const name = nameInFile(task as Task, around)
      task.meta.told = {
        play: number,
        name,
        reached: mutant === '' ? [...hits] : [],
        outside: [...outside],
        loading: loading ?? [],
      }
      loading = []
      hits.clear()
      outside.clear()
    })
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from it which fixtures are asked for
    afterAll(async ({}, suite) => {
      switchOn('')
      if (mutant !== '' && hasFailed(suite)) {
        killed.add(mutant)
        doubtful.add(file)
      }
      await endAlarms()
    })
    await import(/* @vite-ignore */ `${file}?play=${number}`)
  })
}
