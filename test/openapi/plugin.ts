import type { Plugin } from 'vitest/config'

const COMPILED = 'virtual:openapi'
/** Made once for all projects: it takes a second. */
let compiled: Promise<string> | undefined

/** Gives tests in workerd the validators of answers and requests, compiled once. */
export function compiledOpenApi(): Plugin {
  return {
    name: 'compiled-openapi',
    resolveId: (id) => (id === COMPILED ? `\0${COMPILED}` : null),
    load: (id) =>
      id === `\0${COMPILED}`
        ? (compiled ??= import('./compile.ts').then(({ standalone }) => standalone()))
        : null,
  }
}
