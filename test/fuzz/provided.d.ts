import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How long each parser is tried (ms), by `npm run fuzz`. */
    fuzz?: number
  }
  interface TaskMeta {
    /** The smallest input that failed, as JSON: `npm run fuzz` puts it into the corpus. */
    counterexample?: { parser: string; input: string }
  }
}
