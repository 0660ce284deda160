import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../wrangler.ts'

/**
 * The file of a built folder that tells the hash of the sources it was built of. `.assetsignore`
 * keeps it from being served.
 */
export const MARK = '.built'

/** Vite writes a bundled config beside its source for a moment; another build may see it go. */
const PASSING = /\.timestamp-\d+-\w+\.mjs$/

/**
 * A hash of every file that the site may be made of: the code, the documents, and the versions of
 * the packages.
 */
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

/** The lines of a folder's mark: the hash of all sources, and of the docs what VitePress got. */
export function readMark(folder: string): string[] {
  try {
    return readFileSync(join(folder, MARK), 'utf8').split('\n')
  } catch {
    return []
  }
}
