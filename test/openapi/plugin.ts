import type { Plugin } from 'vitest/config'

export const DOCUMENTED_ANSWERS = 'virtual:documented-answers'

/** Gives tests in workerd what the OpenAPI document promises of answers, compiled once. */
export const documentedAnswers = (): Plugin => ({
  name: 'documented-answers',
  resolveId: (id) => (id === DOCUMENTED_ANSWERS ? `\0${DOCUMENTED_ANSWERS}` : null),
  load: async (id) => (id === `\0${DOCUMENTED_ANSWERS}` ? (await import('./compile.ts')).standalone() : null),
})
