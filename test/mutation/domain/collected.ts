import type { ExpectStatic } from 'vitest'

export type CollectedTest = { readonly file: string; readonly name: string; readonly run: () => unknown }

/** The tests that a copy of the bundle tells as it is loaded. */
export type Collected = { readonly expect: ExpectStatic; readonly tests: CollectedTest[]; file: string }
