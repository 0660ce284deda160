import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { makeSecrets } from '../programs/secrets.ts'
import { PROJECT } from '../programs/wrangler.ts'
import type { SecretFile } from './deploy-plan.ts'

/** The folder in which the first deploy of an environment puts its secrets; git ignores it. */
const FOLDER = '.hub'

export function ownSecretFile(environment: string): SecretFile {
  return secretFileAt(join(PROJECT, FOLDER, `${environment}.secrets`))
}

export function secretFileAt(path: string): SecretFile {
  const file = resolve(path)
  const values = existsSync(file) ? Object.entries(valuesOf(file)) : null
  return {
    path: relative(PROJECT, file),
    names: values && values.flatMap(([name, value]) => (value ? [name] : [])),
  }
}

/** Reads lines `NAME=value`, or JSON, as wrangler does. */
function valuesOf(file: string): Record<string, string | undefined> {
  const text = readFileSync(file, 'utf8')
  return text.trimStart().startsWith('{')
    ? v.parse(v.record(v.string(), v.string()), JSON.parse(text))
    : parseEnv(text)
}

/** Makes a file of new secrets, which only its owner can read, and its folder. */
export function makeSecretFile(path: string): void {
  const file = resolve(PROJECT, path)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  makeSecrets(file)
}

export function secretIn(path: string, name: string): string | undefined {
  return valuesOf(resolve(PROJECT, path))[name]
}

/** Writes only the named secrets to a file for one upload: wrangler would send all of them. */
export function copySecrets(path: string, names: readonly string[], to: string): void {
  const values = valuesOf(resolve(PROJECT, path))
  writeFileSync(to, JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]]))), {
    mode: 0o600,
  })
}
