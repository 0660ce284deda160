import { afterEach, beforeEach, vi } from 'vitest'

/**
 * A hub that the CLI asks in a test: what it answers is the test's to say, and what it was asked is
 * the test's to see.
 */
export function askedHub() {
  const asked = vi.fn<typeof fetch>()
  beforeEach(() => {
    asked.mockReset()
    vi.stubGlobal('fetch', asked)
    vi.stubEnv('HUB_URL', 'https://hub.example.com')
    vi.stubEnv('OPERATOR_TOKEN', 'token')
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  })
  return {
    asked,
    /** Answers the next calls, each with one of these. */
    answer: (...bodies: readonly object[]): void => {
      for (const body of bodies) asked.mockImplementationOnce(async () => Response.json(body))
    },
    /** What the calls asked for, in their query. */
    queries: (): string[] => asked.mock.calls.map(([url]) => (url as URL).search),
  }
}

/** A hub's refusal. */
export function problem(status: number, detail = 'why'): Response {
  return Response.json({ title: 't', status, detail, error: detail, field: '' }, { status })
}
