import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { SECRETS } from './secrets.ts'

/** The project's folder, where wrangler finds its settings and the migrations. */
export const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Returns the release of this checkout. */
export function releaseOf(): string {
  const read: unknown = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  return v.parse(v.object({ version: v.string() }), read).version
}

const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin',
  'wrangler.js',
)

/**
 * Runs the project's own wrangler to its end, without telemetry, with `own` in its environment.
 * Returns its exit code, and its output if captured.
 */
export function runWrangler(
  args: readonly string[],
  show: 'shown' | 'captured',
  own?: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: PROJECT,
      stdio: show === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: {
        ...withoutSecrets(process.env),
        WRANGLER_SEND_METRICS: 'false',
        // Else its logs stay in the home folder when the project is gone.
        WRANGLER_LOG_PATH: process.env['WRANGLER_LOG_PATH'] ?? join(PROJECT, '.wrangler', 'logs'),
        ...own,
      },
    })
    let output = ''
    let errors = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output, errors }))
  })
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !SECRETS.some((secret) => secret === name)),
  )
}
