import { browserScripts } from './browser-scripts.ts'
import { clientFiles } from './client/client-files.ts'
import { homePage } from './home.tsx'
import { openApiDocument } from './openapi/document.ts'
import type { SiteFiles } from './site-file.ts'
import { staticFiles } from './static-files.ts'
import { tillPage } from './till-page.tsx'

/**
 * What the site is made of. A part gives its files by their path; a new part has its line here. Two parts that give the same
 * path are a fault.
 */
const PARTS: readonly (() => Promise<SiteFiles>)[] = [
  staticFiles,
  browserScripts,
  clientFiles,
  homePage,
  tillPage,
  openApiFile,
]

/** All files of the site but the docs. Throws when a part cannot be made. */
export async function siteFiles(): Promise<SiteFiles> {
  const all = new Map<string, string | Uint8Array>()
  for (const files of await Promise.all(PARTS.map((part) => part()))) {
    for (const [path, content] of files) {
      if (all.has(path)) throw new Error(`two parts of the site make ${path}`)
      all.set(path, content)
    }
  }
  return all
}

/** The OpenAPI document at `/openapi.json`, in lines, so that people can read it too. */
async function openApiFile(): Promise<SiteFiles> {
  return new Map([['openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`]])
}
