import { type Values, command } from '../command.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { exportTo } from './export-to.ts'
import { SEARCH_FLAGS, queryOf, searchOf } from './job-search.ts'
import { tellError } from './tell-error.ts'

const FORMATS: ReadonlySet<string> = new Set(['csv', 'ndjson'])

const ARGS = {
  format: { type: 'string', valueHint: 'FORMAT', description: 'csv or ndjson; csv if not given' },
  out: { type: 'string', valueHint: 'FILE', description: 'the file to write; standard output if not given' },
  ...SEARCH_FLAGS,
  json: { type: 'boolean', description: 'the same as --format ndjson; an error is JSON too' },
  utc: { type: 'boolean', description: 'times are written in UTC; else in your zone' },
} as const

async function run({ out, json = false, utc = false, ...given }: Values<typeof ARGS>): Promise<number> {
  try {
    const format = given.format ?? (json ? 'ndjson' : 'csv')
    if (!FORMATS.has(format)) throw new UsageError(`--format must be csv or ndjson, not ${quoted(format)}`)
    const address = `/jobs/export?${queryOf({ format, ...searchOf(given, utc) })}`
    await exportTo(process.env, address, out)
    return 0
  } catch (error) {
    return tellError(error, json)
  }
}

export const jobExport = command({
  name: 'npx hub job export',
  does: 'writes all payment jobs of a search to a file',
  example: 'npx hub job export --format csv --from 2026-01-01 --out january.csv',
  args: ARGS,
  run,
})
