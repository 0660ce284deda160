import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeStateFolder, onOneLine, serveBuilt } from '../../src/local/serve-built.ts'

let place: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'payment-hub-state-'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

function modeOf(folder: string): string {
  return (statSync(folder).mode & 0o777).toString(8)
}

/** A folder that other users may read, as the previous release made it. */
function openFolder(name: string): string {
  const folder = join(place, name)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  return folder
}

it('only its owner can read the folder of a local hub, and the folders that are made for it', () => {
  const folder = join(place, '.wrangler', 'state')
  makeStateFolder(folder)
  expect([modeOf(folder), modeOf(join(place, '.wrangler'))]).toEqual(['700', '700'])
})

it('a folder that others can read is closed, and keeps its files', () => {
  const folder = openFolder('known')
  writeFileSync(join(folder, 'data'), 'x')
  makeStateFolder(folder)
  expect(modeOf(folder)).toBe('700')
  expect(statSync(join(folder, 'data')).size).toBe(1)
})

it('it is closed before a hub is served from it', async () => {
  const folder = openFolder('served')
  const hub = { port: 0, stateDir: folder, secretsFile: join(place, 'none') }
  await expect(serveBuilt(join(place, 'no bundle'), hub)).rejects.toThrow()
  expect(modeOf(folder)).toBe('700')
})

it('a log event is one line, so that a search for a payment shows the event', () => {
  const message = "{\n  event: 'report.failed',\n  job: 'j1',\n  error: 'Error: no\\n' +\n    '    at x'\n}"
  expect(onOneLine(message)).toBe("{ event: 'report.failed', job: 'j1', error: 'Error: no\\n' + '    at x' }")
})
