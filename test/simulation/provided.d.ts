import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which seeds the simulation plays, and for how long (ms) it may. */
    simulation?: { first: number; count: number; patience: number }
    /** How often each fault is played that the hub is to name as the cause. */
    whyRounds?: number
  }
}
