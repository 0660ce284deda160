import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../src/programs/free-port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { MARK } from '../../src/build/built-folder.ts'
import { type Clone, makeClone } from '../deploy/clone.ts'

/** The state, the files that a later start can reuse, and wrangler's log. Wrangler's `tmp` is empty. */
const KEPT = ['docs-sources', 'logs', 'site', 'state', 'tmp']

let clone: Clone
let port: number
/** What the newest start has printed. */
let output = ''
beforeAll(async () => {
  clone = await makeClone()
  await rm(docsIn(clone.folder), { recursive: true })
  port = await freePort()
})
afterAll(() => clone.remove())

/** The running hub, which must be stopped even if a test fails. */
let running: ChildProcess | null = null
afterEach(() => running?.kill('SIGTERM'))

/** Starts the hub as a newcomer does, and waits until it answers. */
async function start(): Promise<ChildProcess> {
  output = ''
  const npm = spawn('npm', ['run', 'dev', '--', `--port=${port}`], {
    cwd: clone.folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  running = npm
  await vi.waitFor(() => fetch(`http://localhost:${port}/favicon.ico`), { timeout: 60_000, interval: 100 })
  return npm
}

/** Ends npm, whose shell does not forward signals, and waits until the hub has ended too. */
async function stop(npm: ChildProcess): Promise<void> {
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  const isGone = async () => expect(await docs().catch(() => null)).toBeNull()
  await vi.waitFor(isGone, { timeout: 60_000, interval: 100 })
}

function docs(): Promise<Response> {
  return fetch(`http://localhost:${port}/docs`, { headers: { accept: 'text/html' } })
}

function docsIn(project: string): string {
  return join(project, '.wrangler', 'site', 'docs')
}

async function inWrangler(): Promise<string[]> {
  return (await readdir(join(clone.folder, '.wrangler'))).toSorted()
}

it('a hub that is stopped while it builds the documents leaves nothing unfinished behind', async () => {
  const npm = await start()
  const isBuilding = async () =>
    expect(await inWrangler()).toContainEqual(expect.stringMatching(/^docs-\w{6}$/))
  await vi.waitFor(isBuilding, { timeout: 60_000, interval: 100 })
  await stop(npm)
  expect(await inWrangler()).toEqual(KEPT)
  expect(await readdir(join(clone.folder, '.wrangler', 'tmp'))).toEqual([])
}, 180_000)

it('a reader sees that the documents are being built or cannot be, and then them, from one hub', async () => {
  const npm = await start()
  const first = await docs()
  expect(first.status).toBe(503)
  expect(await first.text()).toMatch(/http-equiv="refresh"[^]*being built/)
  // Each request throws if the hub is away for a moment. VitePress refuses the clone's link to node_modules.
  while ((await (await docs()).text()).includes('being built')) await setTimeout(100)
  expect(await (await docs()).text()).toContain('could not be built')
  const [built, own] = [docsIn(PROJECT), docsIn(clone.folder)]
  await cp(built, own, { recursive: true, filter: (path) => !path.endsWith(MARK) })
  expect((await docs()).status).toBe(503)
  await cp(join(built, MARK), join(own, MARK))
  const page = await docs()
  expect(page.status).toBe(200)
  const [, script = ''] = /src="(\/docs\/assets\/app\.[^"]+)"/.exec(await page.text()) ?? []
  expect((await fetch(`http://localhost:${port}${script}`)).status).toBe(200)
  await stop(npm)
  expect(await inWrangler()).toEqual(KEPT)
}, 180_000)

it('a newcomer is signed in to the console by a link, and has a shop with three payments, on every start', async () => {
  const shown = (pattern: RegExp) =>
    vi.waitFor(() => pattern.exec(output)?.[0] ?? Promise.reject(new Error(output)), 60_000)
  const keys = []
  for (let starts = 0; starts < 2; starts++) {
    const npm = await start()
    const [link, key] = [await shown(/http\S+\/[0-9a-f]{32}\b/), await shown(/\b[0-9A-Za-z]{160}\b/)]
    keys.push(key)
    const signedIn = await fetch(link, { redirect: 'manual' })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const console = await fetch(signedIn.headers.get('location') ?? '', { headers: { cookie } })
    expect([console.status, console.url]).toEqual([200, `http://localhost:${port}/console`])
    expect((await fetch(`${link}0`)).status).toBe(404)
    const read = async (path: string) =>
      (await fetch(`http://localhost:${port}/v2/paymentjobs${path}`, {
        headers: { authorization: `Bearer ${key}` },
      }).then((response) => response.json())) as Record<string, unknown>
    const all = async () => {
      const { paymentJobs } = (await read('')) as { paymentJobs: { paymentJob: string }[] }
      return Promise.all(paymentJobs.map(({ paymentJob }) => read(`/${paymentJob}`)))
    }
    const standings = async () =>
      (await all()).map(({ status, amountRefunded = '0.00' }) => [status, amountRefunded])
    const three = [
      ['PENDING', '0.00'],
      ['SUCCESS', '15.00'],
      ['SUCCESS', '0.00'],
    ] // the newest first
    await vi.waitFor(async () => expect(await standings()).toEqual(three), { timeout: 30_000, interval: 300 })
    await stop(npm)
  }
  expect(keys[0]).toBe(keys[1])
}, 180_000)
