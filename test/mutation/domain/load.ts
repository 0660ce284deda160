import { expect } from 'vitest'
import * as fastCheck from './fewer-runs.ts'
import * as valibot from 'valibot'
import type { Collected, CollectedTest } from './collected.ts'

/** What is not mutated, each loaded once. */
const modules: Record<string, unknown> = { valibot, 'fast-check': fastCheck }

type Script = (collected: Collected, require: (name: string) => unknown, module: object) => void

/** Gives copies of all tests and of the sources that they import: what is computed while modules are loaded is computed anew in each. */
export function loader(script: string): () => CollectedTest[] {
  // oxlint-disable-next-line no-implied-eval, no-new-func
  const evaluate = new Function('collected', 'require', 'module', script) as Script
  return () => {
    const collected: Collected = { expect, tests: [], file: '' }
    evaluate(collected, (name) => modules[name] ?? process.getBuiltinModule(name), {})
    return collected.tests
  }
}

const NOTING = /(function stryCov_9fa48\d*\(\) \{)/g

/** A script whose mutants do not note who passes through them: that takes most of the time. */
export function withoutNotes(script: string): string {
  return script.replaceAll(NOTING, '$1 return;')
}

/** A script whose mutants count in a list of numbers who passes through them: Stryker's way of noting is several times slower. */
export function withCounts(script: string): string {
  return script.replaceAll(
    NOTING,
    '$1 const { counts } = globalThis.__stryker__; for (let at = 0; at < arguments.length; at++) counts[+arguments[at]]++; return;',
  )
}
