import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Args, type Command, type Values, command } from '../command.ts'
import { tellError } from './hub-command.ts'
import { askFile } from './operator-api.ts'
import { type Query, SEARCH_FLAGS, rangeOf, searchOf } from './search.ts'

const OUT = {
  out: { type: 'string', valueHint: 'FILE', description: 'the file to write; standard output if not given' },
  utc: { type: 'boolean', description: 'times are written in UTC; else in your zone' },
} as const

/** Makes a command that writes what an operation exports. `query` says what is asked for. */
function exportCommand<const All extends Args>(
  operation: 'exportJobs' | 'exportAudit',
  words: { name: string; does: string; example: string },
  args: All,
  query: (values: Values<All>, utc: boolean) => Query,
): Command {
  return command<Args>({
    name: `npx hub ${words.name}`,
    does: words.does,
    example: `npx hub ${words.example}`,
    args: { ...args, ...OUT },
    run: async (given) => {
      const out = typeof given['out'] === 'string' ? given['out'] : undefined
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments and OUT
        await exportTo(out, operation, query(given as Values<All>, given['utc'] === true))
        return 0
      } catch (error) {
        return tellError(error, given['json'] === true)
      }
    },
  })
}

export const jobExport = exportCommand(
  'exportJobs',
  {
    name: 'job export',
    does: 'writes all payment jobs of a search to a file',
    example: 'job export --format csv --from 2026-01-01 --out january.csv',
  },
  {
    format: { type: 'enum', options: ['csv', 'ndjson'], description: 'csv if not given' },
    ...SEARCH_FLAGS,
    json: { type: 'boolean', description: 'the same as --format ndjson; an error is JSON too' },
  },
  ({ json, format = json ? 'ndjson' : 'csv', ...given }, utc) => ({ format, ...searchOf(given, utc) }),
)

export const auditExport = exportCommand(
  'exportAudit',
  {
    name: 'audit export',
    does: 'writes the audit log, an entry a line as JSON, oldest first: docs/verify-audit.py checks it',
    example: 'audit export --out audit.ndjson',
  },
  {
    from: { type: 'string', valueHint: 'TIME', description: 'entries made at this time or later' },
    to: { type: 'string', valueHint: 'TIME', description: 'entries made before this time' },
    json: { type: 'boolean', description: 'what it prints is JSON in any case; with it an error is too' },
  },
  rangeOf,
)

/**
 * Writes what the hub exports, as it comes, to a file, or to standard output where none is named.
 * It never holds the whole of it, and leaves no file when the hub or Ctrl-C breaks it off.
 */
async function exportTo(
  out: string | undefined,
  operation: 'exportJobs' | 'exportAudit',
  query: Query,
): Promise<void> {
  if (out === undefined) return pipeline(askFile(operation, { query }), process.stdout, { end: false })
  const part = `${out}.part`
  const stop = new AbortController()
  const { signal } = stop
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await pipeline(Readable.from(askFile(operation, { query }, signal)), createWriteStream(part), { signal })
    await rename(part, out)
  } catch (error) {
    await rm(part, { force: true })
    throw signal.aborted ? new Error(`Stopped: ${out} was not written.`) : error
  } finally {
    process.off('SIGINT', interrupt)
  }
}
