import * as v from 'valibot'
import { reasonOf } from './cloudflare.ts'

/** How long (ms) a new address may take until it leads to the new Worker, and how far apart it is asked. */
const PATIENCE = 90_000
const APART = 2000

const Health = v.object({ status: v.literal('ok'), version: v.string() })
const Problem = v.object({ detail: v.string() })

/** Asks a deployed hub until this release answers there: null, or what was wrong at the last try. A new address of workers.dev takes some seconds, a custom domain more. */
export async function checkHealth(url: string, release: string): Promise<string | null> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const wrong = await askOnce(url, release)
    if (wrong === null) return null
    if (Date.now() + APART > end) return `${wrong}, ${PATIENCE / 1000} seconds after`
    await new Promise((resolve) => setTimeout(resolve, APART))
  }
}

/** What is not as it should be, or null. */
async function askOnce(url: string, release: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(10_000),
      redirect: 'manual',
    })
    const body: unknown = await response.json().catch(() => null)
    const health = v.safeParse(Health, body)
    if (response.status === 200 && health.success) {
      return health.output.version === release
        ? null
        : `answers with release ${health.output.version}, not ${release}`
    }
    const problem = v.safeParse(Problem, body)
    return `answers ${response.status}${problem.success ? `: ${problem.output.detail}` : ''}`
  } catch (error) {
    return `cannot be reached: ${reasonOf(error)}`
  }
}
