import { registerHooks } from 'node:module'
import { openApiDocument } from '../../src/build/openapi/document.ts'

/** Prints the client types that openapi-typescript makes from the document. */

const TYPESCRIPT = new URL('typescript-for-programs.ts', import.meta.url).href

// The generator imports TypeScript by its name.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? TYPESCRIPT : specifier, context),
})

const { default: openapiTs, astToString } = await import('openapi-typescript')
process.stdout.write(astToString(await openapiTs(JSON.stringify(openApiDocument('shops')))))
