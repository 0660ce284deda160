import { rmSync } from 'node:fs'
import { access, constants, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux has a file system in memory. */
const SHARED_MEMORY = '/dev/shm'

export type Storage = 'memory' | 'disk'

const made = new Set<string>()

/** A new folder in memory, or on disk. On a machine without the former both are in the temporary folder. */
export const newFolder = async (storage: Storage): Promise<string> => {
  const parent = storage === 'memory' && (await isWritable(SHARED_MEMORY)) ? SHARED_MEMORY : tmpdir()
  const folder = await mkdtemp(join(parent, 'payment-hub-bench-'))
  made.add(folder)
  // PostgreSQL may run as another user, and must pass through.
  await chmod(folder, 0o711)
  return folder
}

export const removeFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  made.delete(folder)
}

/** At the end of the process, whatever ended it: state of tens of thousands of files must not stay in memory. */
export const removeFoldersAtExit = (): void => {
  process.on('exit', () => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
}

const isWritable = async (folder: string): Promise<boolean> => {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
