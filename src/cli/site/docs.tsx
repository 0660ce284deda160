import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'
import { PROJECT } from '../wrangler.ts'
import { htmlPage } from './html-page.tsx'
import type { SiteFiles } from './site-file.ts'

/** The documents for developers of points of sale, each Markdown file a page. */
export const docs = async (): Promise<SiteFiles> => {
  const html = await marked.parse(await readFile(join(PROJECT, 'docs', 'pos.md'), 'utf8'))
  const text = htmlPage({
    title: 'Payment Hub: documents',
    description: 'How a point of sale takes payments over the hub.',
    scripts: ['docs'],
    children: <main dangerouslySetInnerHTML={{ __html: html }} />,
  })
  return new Map([['docs/index.html', text]])
}
