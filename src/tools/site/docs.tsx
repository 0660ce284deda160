import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { PROJECT } from '../wrangler.ts'
import { docsFrame } from './docs-frame.tsx'
import { inOrder } from './docs-order.ts'
import { withHtmlParts, withMadeParts } from './made-parts.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { openApiDocument } from './openapi/document.ts'
import { Document } from './reference/document.ts'
import { operatorReference, posReference } from './reference/reference.tsx'
import type { SiteFiles } from './site-file.ts'

const FOLDER = join(PROJECT, 'docs', 'pos')

/** The documents for developers of points of sale: each Markdown file is a page by being there. */
export async function docs(): Promise<SiteFiles> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md'))
  const pages = new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, Rendered]> => {
        const source = await readFile(join(FOLDER, file), 'utf8')
        const page = renderMarkdown(await withMadeParts(source))
        return [file.slice(0, -'.md'.length), { ...page, html: withHtmlParts(page.html) }]
      }),
    ),
  )
  const document = v.parse(Document, openApiDocument())
  pages.set('reference', posReference(document))
  pages.set('operator-reference', operatorReference(document))
  const order = inOrder([...pages.keys()]).map(
    ([title, names]) =>
      [title, names.map((name) => ({ name, title: pages.get(name)?.title ?? name }))] as const,
  )
  return new Map(
    [...pages].map(([name, page]) => [`docs/${name}.html`, docsFrame(name, page, order)] as const),
  )
}
