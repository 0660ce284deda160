import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest'
import { endAlarms } from '../../support/end-alarms.ts'
import { hits, switchOn } from './switch.ts'

type Task = { readonly name: string; readonly suite?: Task | undefined }

/** The name of a test inside its file: what stands around the file here is left out. */
const nameInFile = (task: Task, around: string): string => {
  const names: string[] = []
  for (let at: Task | undefined = task; at !== undefined && at.name !== around; at = at.suite)
    names.unshift(at.name)
  return names.join(' > ')
}

/**
 * Plays a test file once for each mutant, with the mutant on, as far as its first failing test; and once with none, as a control
 * of the runtime that they share, or to note what each test reaches. The address has the number of the play in it, so that
 * the file is a new module that tells its tests anew; what it imports stays as it is loaded.
 */
const plays = inject('plays')
/** Vitest gathers what it tells for a tenth of a second. That a play has begun must be known before its mutant loops for ever (ms). */
const UNTIL_TOLD = 200
/** Mutants that a play has killed: the plays of them that come after it say no more. */
const killed = new Set<string>()
/** What modules passed through while they were loaded, before the first test; told once. */
let loading: readonly string[] | null = null
for (const [number, { file, mutant, tests }] of plays.entries()) {
  const around = `play ${number}`
  describe(around, async () => {
    let failed = false
    const outside = new Set<string>()
    beforeAll(async () => {
      loading ??= [...hits]
      hits.clear()
      if (mutant !== '') await scheduler.wait(UNTIL_TOLD)
      switchOn(mutant)
    })
    beforeEach((context) => {
      for (const hit of hits) outside.add(hit)
      hits.clear()
      if (
        failed ||
        killed.has(mutant) ||
        (tests !== null && !tests.includes(nameInFile(context.task as Task, around)))
      )
        context.skip()
    })
    afterEach(({ task }) => {
      failed ||= task.result?.state === 'fail'
      if (failed && mutant !== '') killed.add(mutant)
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
    afterAll(async () => {
      switchOn('')
      await endAlarms()
    })
    await import(/* @vite-ignore */ `${file}?play=${number}`)
  })
}
