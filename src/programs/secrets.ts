import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export const SECRETS = ['OPERATOR_TOKEN', 'SIGNING_ROOT', 'SEALING_KEY'] as const

/** The file with the secrets of a local hub; git ignores it. */
export const LOCAL_SECRETS = '.dev.vars'

/**
 * Writes a file of new random secrets, unless it exists. Returns true when it wrote one. Never writes through
 * a link.
 */
export function makeSecrets(file: string): boolean {
  if (existsSync(file)) return false
  const lines = SECRETS.map((name) => `${name}=${randomBytes(32).toString('hex')}`)
  writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 })
  return true
}

export function readSecrets(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}
