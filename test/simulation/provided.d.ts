import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The seeds that the simulation plays, and its time limit (ms). */
    simulation?: { first: number; count: number; patience: number }
    /** How often each fault is played whose cause the hub should name. */
    whyRounds?: number
  }
}
