import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { flag, option } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { reach, refusal } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'
import { type Query, type QueryName, membersBut, queryFlags, queryOf } from './query-flags.ts'

type Whereto = { out: string | undefined; yes: boolean | undefined }
type Exported = 'exportJobs' | 'exportMovements' | 'exportAudit'

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
      out: option('FILE', 'the file to write; standard output if not given'),
      ...queryFlags(operation, members),
      ...YES,
      utc: flag('times are written in UTC; else in your zone'),
      json: flag('write NDJSON; with it an error is JSON too'),
    },
    run: (given, utc) => {
      const query = queryOf(operation, given, utc)
      if (given.json && query['format'] === 'csv')
        throw new UsageError('--format csv and --json contradict each other: leave one of them out.')
      const format = query['format'] ?? (given.json ? 'ndjson' : 'csv')
      const wanted = members.some((name) => name === 'format') ? { ...query, format } : query
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot tell the flags of any operation
      return exportTo(given as unknown as Whereto, operation, wanted)
    },
  })
}

/**
 * Writes an export, as it arrives, to a file that its owner alone can read, or to standard output
 * without a name. Never holds all of it, and leaves no file when the hub or Ctrl-C breaks it off.
 */
async function exportTo({ out, yes }: Whereto, operation: Exported, query: Query): Promise<void> {
  if (out === undefined) return pipeline(askFile(operation, query), process.stdout, { end: false })
  if (!existsSync(dirname(out))) throw new UsageError(`There is no folder ${dirname(out)} for ${out}.`)
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${out} is a folder: name a file in it.`)
  if (existsSync(out)) await confirm(`${out} is there already. Write over it?`, yes)
  const part = `${out}.part`
  await rm(part, { force: true })
  const stop = new AbortController()
  const { signal } = stop
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await pipeline(
      Readable.from(askFile(operation, query, signal)),
      createWriteStream(part, { mode: 0o600 }),
      { signal },
    )
    await rename(part, out)
  } catch (error) {
    await rm(part, { force: true })
    throw signal.aborted ? new Error(`Stopped: ${out} was not written.`) : error
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/**
 * Yields an export part by part, until `signal` stops it. Throws an Error that says why there is
 * none, or that it is incomplete.
 */
async function* askFile(
  operation: Exported,
  query: Query,
  signal: AbortSignal | null = null,
): AsyncGenerator<Uint8Array> {
  const { hub, response } = await reach(operation, { query }, { headers: { accept: '*/*' }, signal })
  const isExport = /^(application\/x-ndjson|text\/csv)/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !isExport || !response.body) throw refusal(hub, response, await response.text())
  const parts: AsyncIterable<Uint8Array> = response.body
  try {
    for await (const part of parts) yield part
  } catch {
    throw new Error('The hub broke the file off. It is not whole: try again.')
  }
}
