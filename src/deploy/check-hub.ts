import * as v from 'valibot'
import { operatorsHub } from '../cli/operators-hub.ts'
import { HubError, accessOf } from '../programs/chosen-hub.ts'
import { answerOf, reach } from '../cli/operator-api.ts'
import { showHealth } from '../cli/status.ts'
import { printable, viewOf } from '../programs/view.ts'
import { reasonOf } from './cloudflare.ts'

/** How long (ms) a new address may take until it leads to the new Worker. */
const PATIENCE = 90_000
const APART = 2000

/** A hub that has lost its registry answers with 503, but still with its release. */
const Health = v.object({ status: v.picklist(['ok', 'failing']), version: v.string() })
const Problem = v.object({ detail: v.string() })

/** Asks a deployed hub until this release answers. Returns null, or the fault of the last try. */
export async function checkHealth(url: string, release: string): Promise<string | null> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const wrong = await askOnce(url, release)
    if (wrong === null) return null
    if (Date.now() + APART > end) return `${wrong}, ${PATIENCE / 1000} seconds after`
    await new Promise((resolve) => setTimeout(resolve, APART))
  }
}

async function askOnce(url: string, release: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(10_000),
      redirect: 'manual',
    })
    const body: unknown = await response.json().catch(() => null)
    const health = v.safeParse(Health, body)
    if (health.success) {
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

/**
 * Prints `hub status` of a deployed hub, which checks parts that /healthz does not, such as tables
 * and queues. Returns what is wrong, or null. A failing account or shop is no fault of the deploy.
 */
export async function showStatus(url: string, token: string | undefined): Promise<string | null> {
  if (!token) {
    console.log('Its parts were not checked, because OPERATOR_TOKEN is not set: run hub status.')
    return null
  }
  const access = accessOf(process.env)
  const hub = operatorsHub({ url, token, ...(access ? { access } : {}) })
  try {
    const health = await answerOf('showHubHealth', await reach('showHubHealth', {}, { hub }))
    console.log(`\n${showHealth(printable(health), viewOf(process.stdout, false))}`)
    return health.state === 'working'
      ? null
      : 'The hub is deployed, but not all of its parts work: see the table above. `hub status` shows it again.'
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    // The token at Cloudflare may be newer than the one in the file.
    console.log(`Its parts were not checked: ${error.message} Run hub status with its token.`)
    return null
  }
}
