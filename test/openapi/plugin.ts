import { join } from 'node:path'
import type { Plugin } from 'vitest/config'

const COMPILED = 'virtual:openapi'
/** Made once for all projects: it takes a second. */
let compiled: Promise<string> | undefined

/**
 * Not in the bundle that Vite makes of a configuration: the documents find the schemas of the contract in the modules themselves, and
 * a bundle has copies of those.
 */
const COMPILER = join(import.meta.dirname, 'compile.ts')
type Compiler = { standalone: () => Promise<string> }

async function compile(): Promise<string> {
  const { standalone }: Compiler = await import(COMPILER)
  return standalone()
}

/** Gives tests in workerd what the OpenAPI document says of answers and requests, compiled once. */
export function compiledOpenApi(): Plugin {
  return {
    name: 'compiled-openapi',
    resolveId: (id) => (id === COMPILED ? `\0${COMPILED}` : null),
    load: (id) => (id === `\0${COMPILED}` ? (compiled ??= compile()) : null),
  }
}
