import { join } from 'node:path'
import { PROJECT } from '../wrangler.ts'
import type { SiteFiles } from './site-file.ts'
import { readFolder } from './write-folder.ts'

/** The files that are served as they are. */
export function staticFiles(): Promise<SiteFiles> {
  return readFolder(join(PROJECT, 'src', 'site', 'static'))
}
