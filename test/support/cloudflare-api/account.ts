import { DatabaseSync } from 'node:sqlite'
import type { Version } from './upload.ts'

export type Database = {
  uuid: string
  name: string
  jurisdiction: string | null
  sqlite: DatabaseSync
  /** The statements that ran, each with its time (ms): time travel replays the first part of them. */
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
  /** All uploads, the newest last. */
  versions: Version[]
  /** The ids of all versions ever deployed. The last one is live. */
  deployed: string[]
  crons: string[]
  isOnWorkersDev: boolean
}

/** Everything in an account. A new one has only its name at workers.dev. */
export type Account = {
  id: string
  token: string
  /** Its name at workers.dev; null until it has chosen one. */
  subdomain: string | null
  /** The permissions that its token lacks. */
  lacks: Set<string>
  /** The ids of zones, by the zone's name. */
  zones: Map<string, string>
  databases: Map<string, Database>
  namespaces: Map<string, { title: string; jurisdiction?: 'eu' | 'us' | 'fedramp' }>
  queues: Map<string, Queue>
  scripts: Map<string, Script>
  /** Exports of databases, by the last part of their address. */
  exports: Map<string, string>
  /** Uploaded static assets (base64) with their type, by hash. */
  assets: Map<string, { contents: Buffer; type: string }>
  /** The files that each upload session announced: hashes by path. */
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
