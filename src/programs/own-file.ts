import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * Writes a file that only its owner can read, whole or not at all. Replaces a link by the file instead
 * of writing through it, because others may have put the link there. Throws if the signal aborts.
 */
export async function writeOwnFile(
  path: string,
  content: string | AsyncIterable<Uint8Array | string>,
  signal = new AbortController().signal,
): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    await writeFile(part, content, { flag: 'wx', mode: 0o600, signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
