import { join } from 'node:path'
import { PROJECT } from '../../wrangler.ts'

/** Where build-docs.ts puts the pages in Markdown for VitePress. */
export const SOURCES = join(PROJECT, '.wrangler', 'docs-sources')
