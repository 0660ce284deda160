import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Request, Response } from 'miniflare'
import { readMark } from '../build/built-folder.ts'
import { docsMissing } from '../build/pages.ts'

/**
 * Serves the files of the site as they are in their folder now. Miniflare's own assets are those of
 * its start, so that new documents would need another start. Until `docs` has its mark, each of its
 * addresses is a 503: a page that reloads itself, or after `hasFailed` one that says so.
 */
export function siteFolder(
  folder: string,
  hasFailed: () => boolean,
): (request: Request) => Promise<Response> {
  return async ({ url, headers }) => {
    const path = new URL(url).pathname.slice(1)
    if (path.startsWith('docs/') && readMark(join(folder, 'docs')).length === 0) {
      return new Response(docsMissing(hasFailed()), {
        status: 503,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      })
    }
    const content = await readFile(join(folder, path)).catch(() => null)
    if (content === null) return new Response(null, { status: 404 })
    const etag = `"${createHash('sha256').update(content).digest('hex')}"`
    const isKnown = headers.get('if-none-match') === etag
    return new Response(isKnown ? null : content, { status: isKnown ? 304 : 200, headers: { etag } })
  }
}
