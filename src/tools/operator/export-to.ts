import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { operatorFile } from './operator-api.ts'

/**
 * Writes what the hub exports at an address, as it comes, to a file, or to standard output where none is named. An export is never held
 * whole, and one that is broken off, by the hub or by Ctrl-C, leaves no file.
 */
export async function exportTo(
  env: NodeJS.ProcessEnv,
  address: string,
  out: string | undefined,
): Promise<void> {
  if (out === undefined) return pipeline(operatorFile(env, address), process.stdout, { end: false })
  const part = `${out}.part`
  const { signal, end } = interruption()
  try {
    await pipeline(Readable.from(operatorFile(env, address, signal)), createWriteStream(part), { signal })
    await rename(part, out)
  } catch (error) {
    await rm(part, { force: true })
    throw signal.aborted ? new Error(`Stopped: ${out} was not written.`) : error
  } finally {
    end()
  }
}

/** Ctrl-C as a signal, which does not end the process until `end` is called. */
function interruption(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  return { signal: stop.signal, end: () => process.off('SIGINT', interrupt) }
}
