import { createHash } from 'node:crypto'
import type { SiteFiles } from '../site-file.ts'

/**
 * The files of VitePress as the policy of the hub's pages takes them
 * (src/platform/http/respond.ts): scripts that stand in a page move to files, and styles that stand
 * in one go, since scripts set them anyway. VitePress's own 404.html goes: the hub answers with its
 * own.
 */
export function strictSite(files: ReadonlyMap<string, Buffer>): SiteFiles {
  const strict = new Map<string, string | Uint8Array>()
  for (const [path, content] of files) {
    if (path === '404.html') continue
    if (!path.endsWith('.html')) {
      strict.set(path, content)
      continue
    }
    const { html, scripts } = strictPage(content.toString())
    strict.set(path, html)
    for (const [name, script] of scripts) strict.set(name, script)
  }
  return strict
}

/** A page without scripts and styles in it, and its scripts by the path of their file. */
export function strictPage(page: string): { html: string; scripts: Map<string, string> } {
  const scripts = new Map<string, string>()
  const html = page
    .replaceAll(/<script( [^>]*)?>([^<]+)<\/script>/g, (_, words: string | undefined, script: string) => {
      const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
      const name = `assets/inline.${hash}.js`
      scripts.set(name, script)
      return `<script${words ?? ''} src="/docs/${name}"></script>`
    })
    .replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1')
  return { html, scripts }
}
