import { readFile, readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PROJECT } from '../wrangler.ts'
import type { SiteFiles } from './site-file.ts'

const FOLDER = join(PROJECT, 'src', 'site', 'static')

/** The files that are served as they are. */
export async function staticFiles(): Promise<SiteFiles> {
  const found = await readdir(FOLDER, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(
      paths.map(
        async (path) =>
          [
            path
              .slice(FOLDER.length + 1)
              .split(sep)
              .join('/'),
            await readFile(path),
          ] as const,
      ),
    ),
  )
}
