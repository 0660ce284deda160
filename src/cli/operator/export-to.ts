import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes what the hub sends as it comes to a file, or to standard output where none is named. An export is never held whole, and one that
 * is broken off leaves no file.
 */
export const exportTo = async (parts: AsyncIterable<Uint8Array>, out: string | undefined): Promise<void> => {
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
