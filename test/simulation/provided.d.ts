import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The seeds that the simulation plays, its time limit (ms), and whether it prints the journals. */
    simulation?: { first: number; count: number; patience: number; isRecorded?: boolean }
    /** How often each fault is played whose cause the hub should name. */
    whyRounds?: number
  }
}
