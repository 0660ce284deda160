import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vitepress'
import { PROJECT } from '../../programs/wrangler.ts'
import { MARK, type SiteFiles, readFolder, readMark, write, writeFolder } from '../built-folder.ts'
import { type Pages, docsPages, overview } from './pages.ts'
import { SOURCES } from './order.ts'

const ROOT = import.meta.dirname

/** Builds the docs in `folder`, unless VitePress already built the same pages. */
export async function buildDocs(folder: string, sources: string): Promise<void> {
  const pages = await docsPages()
  const made = await hashOf(JSON.stringify([...pages.paged, ...pages.plain]))
  const mark = `${sources}\n${made}`
  if (readMark(folder)[1] === made) return write(join(folder, MARK), mark)
  console.log('Building the docs …')
  await writeFolder(SOURCES, inFiles(pages.paged))
  const files = await runVitePress()
  const plain = inFiles(pages.plain)
  await writeFolder(folder, new Map([...files, ...plain, ['llms.txt', overview(pages.plain)]]))
  await write(join(folder, MARK), mark)
}

function inFiles(pages: Pages): SiteFiles {
  return new Map([...pages].map(([name, text]) => [`${name}.md`, text]))
}

async function hashOf(pages: string): Promise<string> {
  const hash = createHash('sha256').update(pages)
  for (const [path, content] of await readFolder(ROOT)) hash.update(path).update(content)
  hash.update(await readFile(join(PROJECT, 'node_modules', 'vitepress', 'package.json')))
  return hash.digest('hex')
}

/** Runs VitePress on SOURCES, in folders of its own, because several builds may run at a time. */
async function runVitePress(): Promise<SiteFiles> {
  const work = await mkdtemp(join(PROJECT, '.wrangler', 'docs-'))
  const remove = () => rmSync(work, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    await build(ROOT, {
      outDir: join(work, 'out'),
      onAfterConfigResolve: (config) => {
        config.tempDir = join(work, 'temp')
      },
    })
    return strictSite(await readFolder(join(work, 'out')))
  } finally {
    remove()
  }
}

/**
 * Makes VitePress's files fit the policy of the hub's pages (src/platform/http/respond.ts): inline
 * scripts move to files, and inline styles go, because scripts set them anyway. VitePress's
 * 404.html goes too: the hub has its own.
 */
function strictSite(files: ReadonlyMap<string, Buffer>): SiteFiles {
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
