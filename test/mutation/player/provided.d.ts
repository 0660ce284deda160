import type { Play, Told } from './switch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    plays: readonly Play[]
  }
  interface TaskMeta {
    told?: Told
  }
}
