import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Values, command } from '../command.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { SEARCH_FLAGS, queryOf, searchOf } from './job-search.ts'
import { operatorFile } from './operator-api.ts'

const FORMATS: ReadonlySet<string> = new Set(['csv', 'ndjson'])

const ARGS = {
  format: { type: 'string', valueHint: 'FORMAT', description: 'csv or ndjson; csv if not given' },
  out: { type: 'string', valueHint: 'FILE', description: 'the file to write; standard output if not given' },
  ...SEARCH_FLAGS,
  json: { type: 'boolean', description: 'the same as --format ndjson' },
  utc: { type: 'boolean', description: 'times are written in UTC; else in your zone' },
} as const

/** Writes what the hub sends as it comes: an export is never held whole, and one that is broken off leaves no file. */
const exportTo = async (parts: AsyncIterable<Uint8Array>, out: string | undefined): Promise<void> => {
  const read = (into: Writable, end: boolean) => pipeline(Readable.from(parts), into, { end })
  if (out === undefined) return read(process.stdout, false)
  const part = `${out}.part`
  try {
    await read(createWriteStream(part), true)
    await rename(part, out)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const run = async ({ out, json, utc = false, ...given }: Values<typeof ARGS>): Promise<number> => {
  const format = given.format ?? (json === true ? 'ndjson' : 'csv')
  if (!FORMATS.has(format)) throw new UsageError(`--format must be csv or ndjson, not ${quoted(format)}`)
  try {
    const address = `/jobs/export?${queryOf({ format, ...searchOf(given, utc) })}`
    await exportTo(operatorFile(process.env, address), out)
    return 0
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error
    console.error(error.message)
    return 1
  }
}

export const jobExport = command({
  name: 'npx hub job export',
  does: 'writes all payment jobs of a search to a file',
  example: 'npx hub job export --format csv --from 2026-01-01 --out january.csv',
  args: ARGS,
  run,
})
