import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'

const FOLDER = join(PROJECT, 'src', 'client')
const FILES = readdirSync(FOLDER)

it.each(FILES)('%s of the client imports nothing of the rest but types, and no package', (file) => {
  const source = readFileSync(join(FOLDER, file), 'utf8')
  for (const [line, isType, from = ''] of source.matchAll(
    /^(?:import|export) (type )?[^;'"]*?from '([^']+)'/gm,
  )) {
    expect(from, line).toMatch(/^\.\.?\//)
    expect(isType !== undefined || from.startsWith('./'), line).toBe(true)
  }
  expect(source).not.toMatch(/\bimport\(|\brequire\(|from 'node:/)
})
