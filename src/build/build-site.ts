import { join } from 'node:path'
import { PROJECT } from '../programs/wrangler.ts'
import { MARK, hashOfSources, readMark, write, writeFolder } from './built-folder.ts'

/**
 * `npm run build:site`: makes the static files of wrangler.toml's [assets]. Every build of the
 * Worker runs it, and it makes only what has other sources than last time. With `DOCS=none` it
 * leaves out the docs, which take VitePress half a minute.
 */
const SITE = join(PROJECT, '.wrangler', 'site')
const DOCS = join(SITE, 'docs')

// An exit removes unfinished work, which a signal by itself would leave behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const sources = hashOfSources()
if (readMark(SITE)[0] !== sources) {
  const { siteFiles } = await import('./site-files.ts')
  await writeFolder(SITE, await siteFiles(), 'docs')
  await write(join(SITE, MARK), sources)
}
if (process.env['DOCS'] !== 'none' && readMark(DOCS)[0] !== sources) {
  const { buildDocs } = await import('./docs/build-docs.ts')
  await buildDocs(DOCS, sources)
}
