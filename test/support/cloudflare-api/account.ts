import { DatabaseSync } from 'node:sqlite'
import type { Version } from './upload.ts'

export type Database = {
  uuid: string
  name: string
  jurisdiction: string | null
  sqlite: DatabaseSync
  /** What was run, with its time (ms): time travel runs a part of it once more. */
  history: { at: number; sql: string }[]
}
export type Queue = { queue_id: string; queue_name: string; jurisdiction?: string; consumers: Consumer[] }
type ConsumerSettings = {
  batch_size?: number | undefined
  max_retries?: number | undefined
  max_wait_time_ms?: number | undefined
  retry_delay?: number | undefined
}
export type Consumer = {
  consumer_id: string
  type: 'worker'
  script: string
  dead_letter_queue?: string | undefined
  settings: ConsumerSettings
}
export type Script = {
  name: string
  tags: string[]
  secrets: Map<string, string>
  /** Each upload, the newest last. */
  versions: Version[]
  /** The ids of those that were served, the one that is served now last. */
  deployed: string[]
  crons: string[]
  isOnWorkersDev: boolean
}

/** All that an account has. It starts empty, but for its name at workers.dev. */
export type Account = {
  id: string
  token: string
  /** Its name at workers.dev; none while it has not chosen one. */
  subdomain: string | null
  /** The permissions that its token has not. */
  lacks: Set<string>
  /** Zones by their names, with their ids. */
  zones: Map<string, string>
  databases: Map<string, Database>
  namespaces: Map<string, string>
  queues: Map<string, Queue>
  scripts: Map<string, Script>
  /** Exports of databases, by the end of their address. */
  exports: Map<string, string>
  /** Uploaded files of static assets by their hash, as base64, with their type. */
  assets: Map<string, { contents: Buffer; type: string }>
  /** What was announced in the sessions of asset uploads: paths and hashes. */
  manifests: Map<string, Record<string, string>>
}

export function newAccount(): Account {
  return {
    id: '0123456789abcdef0123456789abcdef',
    token: 'token-of-the-account',
    subdomain: 'shops',
    lacks: new Set(),
    zones: new Map(),
    databases: new Map(),
    namespaces: new Map(),
    queues: new Map(),
    scripts: new Map(),
    exports: new Map(),
    assets: new Map(),
    manifests: new Map(),
  }
}
