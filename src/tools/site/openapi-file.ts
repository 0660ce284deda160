import { openApiDocument } from './openapi/document.ts'
import type { SiteFiles } from './site-file.ts'

/** The OpenAPI document at `/openapi.json`, in lines, so that people can read it too. */
export function openApiFile(): Promise<SiteFiles> {
  return Promise.resolve(new Map([['openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`]]))
}
