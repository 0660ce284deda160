import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { PROJECT } from '../programs/wrangler.ts'

/** The file that names the sources of a built folder. `.assetsignore` keeps it unserved. */
export const MARK = '.built'

/** Vite writes a bundled config next to its source for a moment; another build may see it go. */
const PASSING = /\.timestamp-\d+-\w+\.mjs$/

/** Hashes all sources of the site: the code, the documents, the versions of the packages. */
export function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['src', join('docs', 'pos')]) {
    const entries = readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !PASSING.test(entry.name))
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted())
      hash.update(path.slice(PROJECT.length)).update(readFileSync(path))
  }
  return hash.update(readFileSync(join(PROJECT, 'package.json'))).digest('hex')
}

/** Returns the lines of a folder's mark: the hash of all sources, and for the docs that of the pages. */
export function readMark(folder: string): string[] {
  try {
    return readFileSync(join(folder, MARK), 'utf8').split('\n')
  } catch {
    return []
  }
}

/**
 * Files of the site, by their path below its root: `docs/guide.html` is served at `/docs/guide`.
 * HUB (src/contract/placeholder.ts) stands for the hub's own origin in their texts.
 */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>

/**
 * Makes a folder hold these files and no others, except those below the folder `other`. Leaves an
 * equal file as it is, and replaces a changed one at once: a hub may serve them meanwhile, and
 * several builds may run.
 */
export async function writeFolder(folder: string, files: SiteFiles, other?: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all([...files].map(([path, content]) => write(join(folder, path), content)))
  for (const path of await pathsIn(folder)) {
    if (other !== undefined && path.startsWith(`${other}/`)) continue
    if (!files.has(path) && !path.endsWith(UNFINISHED)) await rm(join(folder, path), { force: true })
  }
}

/** Reads the files of a folder, by their path in it. */
export async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const paths = await pathsIn(folder)
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const)),
  )
}

async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .toSorted()
}

/** The ending of unfinished files, which `.assetsignore` keeps unserved. */
const UNFINISHED = '.unfinished'

/** Writes a file, unless it is equal. A reader sees the old file or the new one, never a part. */
export async function write(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  const there = await readFile(path).catch(() => null)
  if (there?.equals(bytes)) return
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  await writeFile(unfinished, bytes)
  await rename(unfinished, path)
}
