import { join } from 'node:path'
import * as v from 'valibot'
import { unstable_readConfig } from 'wrangler'
import { PROJECT } from './wrangler.ts'

/** A D1 database of the Worker, by the name that its code and its owner know it by. */
export type Database = { binding: string; name: string }

const Settings = v.object({
  d1_databases: v.array(v.object({ binding: v.string(), database_name: v.string() })),
})

/** The databases of wrangler.toml: that of the registry, and those that the index is spread over. */
export function readDatabases(): Database[] {
  return v
    .parse(Settings, unstable_readConfig({ config: join(PROJECT, 'wrangler.toml') }))
    .d1_databases.map(({ binding, database_name: name }) => ({ binding, name }))
}
