/** What the yardstick uses of node-postgres, which has no types of its own. https://node-postgres.com/apis/pool */
declare module 'pg' {
  type Row = Record<string, unknown>
  type Statement = { name: string; text: string; values: readonly unknown[] }
  type Queryable = { query: (statement: Statement | string) => Promise<{ rows: Row[] }> }
  export class Pool {
    constructor(options: {
      host: string
      user: string
      database: string
      max: number
      idleTimeoutMillis: number
    })
    connect(): Promise<Queryable & { release: (broken?: boolean) => void }>
    query: Queryable['query']
    end(): Promise<void>
  }
  const pg: { Pool: typeof Pool }
  export default pg
}
