import { registerHooks } from 'node:module'
import { openApiDocument } from '../../src/site/build/openapi/document.ts'

/** Prints the types of a client, as openapi-typescript makes them of the document. */

const TYPESCRIPT = new URL('typescript-for-programs.ts', import.meta.url).href

// The generator asks for TypeScript by its name.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? TYPESCRIPT : specifier, context),
})

const { default: openapiTs, astToString } = await import('openapi-typescript')
process.stdout.write(astToString(await openapiTs(JSON.stringify(openApiDocument('shops')))))
