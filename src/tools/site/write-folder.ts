import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { SiteFiles } from './site-file.ts'

/**
 * Makes a folder hold these files and no others. A file that is right already stays as it is, and one that changes does so
 * at once: a hub may be serving them meanwhile, and several builds may run at a time.
 */
export async function writeFolder(folder: string, files: SiteFiles): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all([...files].map(([path, content]) => write(join(folder, path), content)))
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name)
    const name = path
      .slice(folder.length + 1)
      .split(sep)
      .join('/')
    if (entry.isFile() && !files.has(name) && !entry.name.endsWith(UNFINISHED))
      await rm(path, { force: true })
  }
}

/** What a file is called while it is being written; wrangler and the local hub leave it out by `.assetsignore`. */
const UNFINISHED = '.unfinished'

/** Writes a file, unless it is right already. Who reads it meanwhile has it as it was, or as it is now. */
export async function write(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  if (await hasContent(path, bytes)) return
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  await writeFile(unfinished, bytes)
  await rename(unfinished, path)
}

async function hasContent(path: string, bytes: Buffer): Promise<boolean> {
  try {
    return bytes.equals(await readFile(path))
  } catch {
    return false
  }
}
