import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodySignature, signingSecret } from '../../src/platform/crypto/signing.ts'
import { blocksOf, read } from './documents.ts'

type IsGenuine = (body: string, xSignature: string, signingSecret: string) => boolean

describe('the code of docs/pos/webhooks.md that verifies a report', () => {
  let folder: string
  let isGenuine: IsGenuine
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payment-hub-docs-'))
    const file = join(folder, 'verify.mjs')
    await writeFile(file, blocksOf(read('docs/pos/webhooks.md'), 'js').join('\n'))
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { isGenuine: IsGenuine }
    isGenuine = module.isGenuine
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('accepts only what the hub has signed', async () => {
    const secret = await signingSecret(randomBytes(32).toString('hex'), 'pos', 1)
    const body = JSON.stringify({ paymentJob: 'a', orderNumber: 'é' })
    const signature = await bodySignature(secret, body)
    expect(isGenuine(body, signature, secret)).toBe(true)
    expect(isGenuine(`${body} `, signature, secret)).toBe(false)
    expect(isGenuine(body, signature.slice(1), secret)).toBe(false)
    expect(isGenuine(body, createHmac('sha512', 'another').update(body).digest('hex'), secret)).toBe(false)
  })
})
