import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Order } from '../../../src/contract/order.ts'

const SCHEMA = `
  create table tokens (hash text primary key, pos text not null, expires bigint not null, secret text not null);
  create table jobs (
    id uuid primary key, pos text not null, transaction_id uuid not null, fingerprint text not null,
    status text not null, amount bigint not null, paid bigint not null, order_number text not null,
    job_order jsonb not null, created bigint not null, updated bigint not null);
  create index jobs_by_pos on jobs (pos, created);
  create index jobs_by_order_number on jobs (order_number);
  create table steps (
    job uuid not null references jobs, at bigint not null, action text not null, status text not null,
    paid bigint not null, primary key (job, at));
  create table outbox (id bigint generated always as identity primary key, job uuid not null, message jsonb not null);
`

/** PostgreSQL's connections: enough for two cores, see https://wiki.postgresql.org/wiki/Number_Of_Database_Connections */
const CONNECTIONS = 16
const DAY = 86_400

export type Pos = { pos: string; secret: string }
export type NewJob = { id: string; transactionId: string; order: Order; now: number }
export type StoredJob = { id: string; transactionId: string; order: Order; created: number }

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The tables of the yardstick: what the hub keeps in KV, in an object and in its index, in one database. */
export async function openStore(socketDir: string, user: string) {
  const options = { host: socketDir, user, database: 'postgres', max: CONNECTIONS, idleTimeoutMillis: 0 }
  const pool = new pg.Pool(options)
  await pool.query(SCHEMA)
  return {
    close: () => pool.end(),

    issueToken: async (): Promise<string> => {
      const [token, pos, secret] = [80, 16, 48].map((bytes) => randomBytes(bytes).toString('hex'))
      const values = [sha256(token ?? ''), pos, Date.now() / 1000 + DAY, secret]
      await pool.query({
        name: 'issue',
        text: 'insert into tokens values ($1, $2, $3::float8::bigint, $4)',
        values,
      })
      return token ?? ''
    },

    posOf: async (token: string): Promise<Pos | null> => {
      const { rows } = await pool.query({
        name: 'token',
        text: 'select pos, secret from tokens where hash = $1 and expires > $2::float8',
        values: [sha256(token), Date.now() / 1000],
      })
      return (rows[0] as Pos | undefined) ?? null
    },

    /** The job with its first step and the message that it is to send, in one transaction. */
    createJob: async ({ pos }: Pos, { id, transactionId, order, now }: NewJob): Promise<void> => {
      const client = await pool.connect()
      const fingerprint = sha256(JSON.stringify({ ...order, timestamp: undefined }))
      try {
        await client.query('begin')
        await client.query({
          name: 'job',
          text: `insert into jobs values ($1, $2, $3, $4, 'PENDING', $5, 0, $6, $7, $8, $8)`,
          values: [
            id,
            pos,
            transactionId,
            fingerprint,
            order.amount,
            order.orderNumber,
            JSON.stringify(order),
            now,
          ],
        })
        const step = `insert into steps values ($1, $2, 'Start', 'PENDING', 0)`
        await client.query({ name: 'step', text: step, values: [id, now] })
        const owed = 'insert into outbox (job, message) values ($1, $2)'
        const message = JSON.stringify({ job: id, revision: 1, order })
        await client.query({ name: 'outbox', text: owed, values: [id, message] })
        await client.query('commit')
        client.release()
      } catch (error) {
        client.release(true)
        throw error
      }
    },

    readJob: async (id: string, { pos }: Pos): Promise<StoredJob | null> => {
      const { rows } = await pool.query({
        name: 'read',
        text: `select id, transaction_id as "transactionId", job_order as "order", created::float8 as created
               from jobs where id = $1 and pos = $2`,
        values: [id, pos],
      })
      return (rows[0] as StoredJob | undefined) ?? null
    },
  }
}
