import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { flag, option } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { EXPORT_MODE } from '../contract/job-export.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { reach, refusal } from './operator-api.ts'
import { writeOwnFile } from '../programs/own-file.ts'
import { YES, confirm } from '../programs/prompt.ts'
import { type Query, type QueryName, flagOf, membersBut, queryFlags, queryOf } from './query-flags.ts'

/** The flags of a command that writes a file. */
export const OUT = { out: option('FILE', 'the file to write; standard output if not given'), ...YES }
type Whereto = { out: string | undefined; yes: boolean | undefined }

/** The operations that answer with a file, and what its lines are. */
const LINES = {
  exportJobs: ['payment job', 'payment jobs'],
  exportMovements: ['movement of money', 'movements of money'],
  exportAudit: ['entry', 'entries'],
} as const
type Exported = keyof typeof LINES

/** Makes a command that writes an export to a file, with a flag for each member of its query. */
export function exportCommand<const Of extends Exported>(
  operation: Of,
  words: { does: string; example: string; without?: readonly QueryName<Of>[] },
) {
  const { without = [], ...named } = words
  const members = membersBut(operation, without)
  return hubCommand({
    ...named,
    args: {
      ...queryFlags(operation, members),
      ...OUT,
      utc: flag('--from and --to are in UTC; else in your zone. Times in the file are always in UTC'),
      json: flag('write NDJSON; with it an error is JSON too'),
    },
    run: async (given, utc) => {
      const query = queryOf(operation, given, utc)
      if (given.json && query['format'] === 'csv')
        throw new UsageError('--format csv and --json contradict each other: leave one of them out.')
      const format = query['format'] ?? (given.json ? 'ndjson' : 'csv')
      const wanted = members.some((name) => name === 'format') ? { ...query, format } : query
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot tell the flags of any operation
      const whereto = given as unknown as Whereto
      const tally: Tally = { records: 0, mode: null }
      await writeOut(whereto, (signal) => askFile(operation, wanted, tally, signal))
      const [one, many] = LINES[operation]
      tellWritten(count(tally.records, one, many), whereto.out, leftOut(query, tally.mode))
    },
  })
}

/** Says what was written, and what was left out. On standard error, for standard output may be the file. */
export function tellWritten(lines: string, out: string | undefined, without: readonly string[] = []): void {
  const written = `${lines} written${out === undefined ? '' : ` to ${out}`}.`
  console.error(without.length === 0 ? written : `${written} Left out: ${without.join('; ')}.`)
}

/** Lists what an export lacks: test payments, if no flag chose a mode, and what flags keep out. */
function leftOut({ format: _format, separator: _separator, ...filters }: Query, mode: string | null) {
  const flags = Object.keys(filters).filter((name) => filters[name] !== undefined)
  const isLiveByItself = mode === 'live' && filters['mode'] === undefined
  return [
    ...(isLiveByItself ? ['payments in test mode (--mode test or --mode all)'] : []),
    ...(flags.length > 0
      ? [`what does not match ${flags.map((name) => `--${flagOf(name)}`).join(', ')}`]
      : []),
  ]
}

/**
 * Writes an export, as it arrives, to a file that only its owner can read, or to standard output
 * without a name. Never holds all of it, and leaves no file if the hub fails or Ctrl-C stops it.
 */
export async function writeOut(
  { out, yes = false }: Whereto,
  parts: (signal: AbortSignal | null) => AsyncIterable<Uint8Array | string>,
): Promise<void> {
  if (out === undefined) return pipeline(parts(null), process.stdout, { end: false })
  await mayWrite(out, yes)
  const stop = new AbortController()
  const { signal } = stop
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await writeOwnFile(out, parts(signal), signal)
  } catch (error) {
    throw signal.aborted ? new Error(`Stopped: ${out} was not written.`) : error
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/** Throws unless a file can be written there. Asks before it writes over another file. */
async function mayWrite(out: string, isSure: boolean): Promise<void> {
  if (!existsSync(dirname(out))) throw new UsageError(`There is no folder ${dirname(out)} for ${out}.`)
  const there = statSync(out, { throwIfNoEntry: false })
  if (!there) return
  if (there.isDirectory()) throw new UsageError(`${out} is a folder: name a file in it.`)
  if (!there.isFile())
    throw new UsageError(`${out} is not a plain file. Leave out --out for standard output.`)
  if (!isSure && !process.stdin.isTTY)
    throw new UsageError(`${out} already exists. Name another file, or write over it with --yes.`)
  await confirm(`${out} already exists. Write over it?`, isSure)
}

/** How many records of an export came, without the head of a CSV file, and their mode if it is one. */
type Tally = { records: number; mode: string | null }

const [LINE_FEED, QUOTE] = [10, 34]

/**
 * Yields an export part by part, until `signal` stops it, and counts it in `tally`. Throws an Error
 * that says why there is none, or that it is incomplete.
 */
async function* askFile(
  operation: Exported,
  query: Query,
  tally: Tally,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  const { hub, response } = await reach(operation, { query }, { headers: { accept: '*/*' }, signal })
  const type = response.headers.get('content-type') ?? ''
  const isCsv = type.startsWith('text/csv')
  if (!response.ok || !(isCsv || type.startsWith('application/x-ndjson')) || !response.body)
    throw refusal(hub, response, await response.text())
  Object.assign(tally, { records: isCsv ? -1 : 0, mode: response.headers.get(EXPORT_MODE) })
  const parts: AsyncIterable<Uint8Array> = response.body
  let isQuoted = false
  try {
    for await (const part of parts) {
      for (const byte of part) {
        if (byte === QUOTE) isQuoted = isCsv && !isQuoted
        else if (byte === LINE_FEED && !isQuoted) tally.records += 1
      }
      yield part
    }
  } catch {
    throw new Error('The hub stopped before the end, so the file is not complete. Try again.')
  }
}
