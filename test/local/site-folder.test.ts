import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Request } from 'miniflare'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { siteFolder } from '../../src/local/site-folder.ts'
import { MARK } from '../../src/build/built-folder.ts'

let folder: string
let hasFailed: boolean
beforeEach(async () => {
  hasFailed = false
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-site-'))
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'till.html'), 'The till')
})
afterEach(() => rm(folder, { recursive: true }))

function get(path: string, headers: Record<string, string> = {}) {
  return siteFolder(folder, () => hasFailed)(new Request(`https://hub.example${path}`, { headers }))
}

it('documents that are being built are a page that reloads itself, until all of them are there', async () => {
  await writeFile(join(folder, 'docs', 'guide.html'), 'Half of the gui')
  const early = await get('/docs/guide.html')
  expect(early.status).toBe(503)
  expect(early.headers.get('content-type')).toMatch('text/html')
  expect(await early.text()).toMatch(/http-equiv="refresh"[^]*being built/)
  await writeFile(join(folder, 'docs', 'guide.html'), 'The guide')
  await writeFile(join(folder, 'docs', MARK), 'sources\npages')
  expect(await (await get('/docs/guide.html')).text()).toBe('The guide')
})

it('documents that could not be built are a page that says so, and does not reload', async () => {
  hasFailed = true
  const text = await (await get('/docs/guide.html')).text()
  expect(text).toContain('could not be built')
  expect(text).not.toContain('http-equiv')
})

it('other files are there at once, each with a tag of its content, and nothing else is', async () => {
  const first = await get('/till.html')
  const etag = first.headers.get('etag') ?? ''
  expect(await first.text()).toBe('The till')
  expect((await get('/till.html', { 'if-none-match': etag })).status).toBe(304)
  await writeFile(join(folder, 'till.html'), 'A newer till')
  expect((await get('/till.html', { 'if-none-match': etag })).status).toBe(200)
  expect((await get('/none.html')).status).toBe(404)
  expect((await get('/docs')).status).toBe(404)
})
