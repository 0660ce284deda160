import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How long (ms) `npm run fuzz` tries each parser. */
    fuzz?: number
  }
  interface TaskMeta {
    /** The smallest input that failed, as JSON: `npm run fuzz` puts it into the corpus. */
    counterexample?: { parser: string; input: string }
  }
}
