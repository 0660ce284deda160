import { access, chmod, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './endings.ts'

/** Where Linux has a file system in memory. */
const SHARED_MEMORY = '/dev/shm'

export type Storage = 'memory' | 'disk'
export type Folder = { path: string; remove: () => Promise<void> }

/** A new folder in memory, or on disk. On a machine without the former both are in the temporary folder. */
export async function newFolder(storage: Storage): Promise<Folder> {
  const parent = storage === 'memory' && (await isWritable(SHARED_MEMORY)) ? SHARED_MEMORY : tmpdir()
  const path = await mkdtemp(join(parent, 'payment-hub-bench-'))
  // PostgreSQL may run as another user, and must pass through.
  await chmod(path, 0o711)
  return { path, remove: atEnd(() => rm(path, { recursive: true, force: true, maxRetries: 5 })) }
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
