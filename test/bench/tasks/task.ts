import type { Work } from '../load.ts'
import type { Server } from '../servers/server.ts'

/** How many clients there are at once. */
export const CONCURRENCIES = [1, 16, 64] as const
export type Concurrency = (typeof CONCURRENCIES)[number]

/** Something that is measured at a server. `turns` is for one round. */
export type Task = {
  what: string
  server: Server
  turns: Record<Concurrency, number>
  work: Work
}
