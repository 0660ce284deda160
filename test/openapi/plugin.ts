import type { Plugin } from 'vitest/config'

const COMPILED = 'virtual:openapi'

/** Gives tests in workerd what the OpenAPI document says of answers and requests, compiled once. */
export function compiledOpenApi(): Plugin {
  return {
    name: 'compiled-openapi',
    resolveId: (id) => (id === COMPILED ? `\0${COMPILED}` : null),
    load: async (id) => (id === `\0${COMPILED}` ? (await import('./compile.ts')).standalone() : null),
  }
}
