import type { Clients } from '../load.ts'

export type ServerName = 'hub' | 'bare' | 'fastify'

/** What is measured: a hub, or a yardstick that takes the same requests for creating and reading. */
export type Server = {
  name: ServerName
  url: string
  /** The access token of a point of sale. */
  token: string
  clients: Clients
  /** Its processes, for what they take of the machine. */
  pids: () => number[]
  stop: () => Promise<void>
}
