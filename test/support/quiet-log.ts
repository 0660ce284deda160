import { env } from 'cloudflare:workers'

/**
 * Keeps the log of the hub out of what tests print: thirty thousand lines, each of which takes the runtime time to write. `LOGS=1 npm test`
 * prints them. What else is said to the console is printed. Done when this module is loaded: once in each runtime, for all test files
 * that share it.
 */
function leaveLogOut(): void {
  for (const level of ['log', 'warn', 'error'] as const) {
    const print = console[level].bind(console)
    console[level] = (...said: unknown[]) => {
      if (!isLine(said[0])) print(...said)
    }
  }
}

function isLine(said: unknown): boolean {
  return typeof said === 'object' && said !== null && 'event' in said
}

if (env.TEST_LOGS === '') leaveLogOut()
