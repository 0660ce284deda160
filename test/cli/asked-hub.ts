import { afterEach, beforeEach, vi } from 'vitest'

/** A hub for tests of the CLI. A test chooses its answers, and reads the requests that it got. */
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
    /** Answers the next calls with these bodies, one for each. */
    answer: (...bodies: readonly object[]): void => {
      for (const body of bodies) asked.mockImplementationOnce(async () => Response.json(body))
    },
    /** The query strings of the calls. */
    queries: (): string[] => asked.mock.calls.map(([url]) => (url as URL).search),
  }
}

/** A hub's refusal. */
export function problem(status: number, detail = 'why'): Response {
  return Response.json({ title: 't', status, detail, error: detail, field: '' }, { status })
}
