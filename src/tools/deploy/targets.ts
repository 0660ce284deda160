import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const Deployed = v.object({ type: v.literal('deploy'), targets: v.array(v.string()) })

/**
 * The addresses of the Worker, from the file that wrangler writes at WRANGLER_OUTPUT_FILE_PATH: a JSON value on each line. A custom
 * domain comes first, for customers see it.
 */
export function readTargets(file: string): string[] {
  const targets = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const { success, output } = v.safeParse(Deployed, JSON.parse(line))
      return success ? output.targets : []
    })
  return [
    ...targets
      .flatMap((target) => /^(\S+) \(custom domain/.exec(target)?.[1] ?? [])
      .map((host) => `https://${host}`),
    ...targets.filter((target) => target.startsWith('https://')),
  ]
}
